BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0001');
CREATE TABLE bandits (
	id INTEGER NOT NULL, 
	name VARCHAR(100) NOT NULL, 
	spec TEXT NOT NULL, 
	secret BLOB NOT NULL, 
	version BIGINT NOT NULL, 
	origin BIGINT, 
	created BIGINT NOT NULL, 
	CONSTRAINT bandits_pk PRIMARY KEY (id), 
	CONSTRAINT bandits_name UNIQUE (name)
);
INSERT INTO "bandits" VALUES(1,'funds','{"arms": ["bond", "stock"], "policy": "switching-aware", "risk": "mean-variance:1", "seed": 7, "horizon": null, "lease_seconds": 86400.0, "records": {"policy": {"class": "SwitchingAware", "fields": {"policy": {"class": "NGTS", "fields": {"shape": 0.0, "rate": 0.5, "plays_first": 1, "pooled": true, "optimism": 80.0, "anytime": false}}, "anytime": false, "power": 1.0}}, "risk": {"class": "MeanVariance", "fields": {"rho": 1}}}}',X'E053E60744188AC9D580C1F4EBAFDA1B2912F67ED9D0139A8361B508A9F84011',94,NULL,1795007871633954);
INSERT INTO "bandits" VALUES(2,'history','{"arms": ["bond", "stock"], "policy": "npts", "risk": "mean-variance:1", "seed": 7, "horizon": null, "lease_seconds": 86400.0, "records": {"policy": {"class": "NPTS", "fields": {"anchor": 1.0, "use_anchor": true}}, "risk": {"class": "MeanVariance", "fields": {"rho": 1}}}}',X'05AC022B69DC6A0CD8166241FE0357FA6E1FC93C588FD124161F25EFCB92FCB8',83,NULL,1795007873169176);
INSERT INTO "bandits" VALUES(3,'compacted','{"arms": ["bond", "stock"], "policy": "switching-aware", "risk": "mean-variance:1", "seed": 7, "horizon": null, "lease_seconds": 1.0, "records": {"policy": {"class": "SwitchingAware", "fields": {"policy": {"class": "NGTS", "fields": {"shape": 0.0, "rate": 0.5, "plays_first": 1, "pooled": true, "optimism": 80.0, "anytime": false}}, "anytime": false, "power": 1.0}}, "risk": {"class": "MeanVariance", "fields": {"rho": 1}}}}',X'AC56A5287E24A54FB93A4B2FC05CBEAC0222B1CCED99B8AD9751EC19D69C2084',49,46,1795007873562662);
INSERT INTO "bandits" VALUES(4,'rate','{"arms": ["bond", "stock"], "policy": "bmvts", "risk": "mean-variance:1", "seed": 5, "horizon": null, "lease_seconds": 86400.0, "records": {"policy": {"class": "BMVTS", "fields": {"successes_prior": 1.0, "failures_prior": 1.0}}, "risk": {"class": "MeanVariance", "fields": {"rho": 1}}}}',X'EE87F92A5D15B5D44905EEBE93910F7274AE164B7C1B9A0906388D3EEF159598',4,NULL,1795007876329615);
CREATE TABLE events (
	bandit_id INTEGER NOT NULL, 
	sequence BIGINT NOT NULL, 
	kind VARCHAR(16) NOT NULL, 
	decides BIGINT, 
	settles BIGINT, 
	arm TEXT NOT NULL, 
	reward DOUBLE, 
	at BIGINT NOT NULL, 
	available TEXT, 
	"key" VARCHAR(200), 
	count INTEGER, 
	CONSTRAINT events_pk PRIMARY KEY (bandit_id, sequence), 
	CONSTRAINT events_bandit_id FOREIGN KEY(bandit_id) REFERENCES bandits (id)
)
 WITHOUT ROWID

;
INSERT INTO "events" VALUES(1,1,'decision',1,NULL,'bond',NULL,1795007871643275,NULL,'key-0',1);
INSERT INTO "events" VALUES(1,2,'forgotten',NULL,1,'bond',NULL,1795007871652603,NULL,NULL,NULL);
INSERT INTO "events" VALUES(1,3,'decision',2,NULL,'bond',NULL,1795007871657160,NULL,'key-1',1);
INSERT INTO "events" VALUES(1,4,'reward',NULL,2,'bond',0.1,1795007871661141,NULL,NULL,NULL);
INSERT INTO "events" VALUES(1,5,'decision',3,NULL,'stock',NULL,1795007871664779,NULL,'key-2',1);
INSERT INTO "events" VALUES(1,6,'reward',NULL,3,'stock',0.2,1795007871668715,NULL,NULL,NULL);
INSERT INTO "events" VALUES(1,7,'decision',4,NULL,'bond',NULL,1795007871672711,NULL,'key-3',1);
INSERT INTO "events" VALUES(1,8,'reward',NULL,4,'bond',0.3,1795007871676754,NULL,NULL,NULL);
INSERT INTO "events" VALUES(1,9,'decision',5,NULL,'stock',NULL,1795007871679547,NULL,'key-4',1);
INSERT INTO "events" VALUES(1,10,'reward',NULL,5,'stock',0.4,1795007871681641,NULL,NULL,NULL);
INSERT INTO "events" VALUES(1,11,'decision',6,NULL,'bond',NULL,1795007871684722,NULL,'key-5',1);
INSERT INTO "events" VALUES(1,12,'reward',NULL,6,'bond',0.0,1795007871687580,NULL,NULL,NULL);
INSERT INTO "events" VALUES(1,13,'decision',7,NULL,'stock',NULL,1795007871689552,NULL,'key-6',1);
INSERT INTO "events" VALUES(1,14,'reward',NULL,7,'stock',0.1,1795007871692614,NULL,NULL,NULL);
INSERT INTO "events" VALUES(1,15,'decision',8,NULL,'stock',NULL,1795007871699052,NULL,'key-7',1);
INSERT INTO "events" VALUES(1,16,'decision',9,NULL,'stock',NULL,1795007871701573,NULL,'key-8',1);
INSERT INTO "events" VALUES(1,17,'reward',NULL,9,'stock',0.3,1795007871704592,NULL,NULL,NULL);
INSERT INTO "events" VALUES(1,18,'decision',10,NULL,'bond',NULL,1795007871707507,NULL,'key-9',1);
INSERT INTO "events" VALUES(1,19,'reward',NULL,10,'bond',0.4,1795007871709586,NULL,NULL,NULL);
INSERT INTO "events" VALUES(1,20,'decision',11,NULL,'stock',NULL,1795007871711522,NULL,'key-10',1);
INSERT INTO "events" VALUES(1,21,'reward',NULL,11,'stock',0.0,1795007871713542,NULL,NULL,NULL);
INSERT INTO "events" VALUES(1,22,'decision',12,NULL,'bond',NULL,1795007871716660,NULL,'key-11',1);
INSERT INTO "events" VALUES(1,23,'reward',NULL,12,'bond',0.1,1795007871719548,NULL,NULL,NULL);
INSERT INTO "events" VALUES(1,24,'decision',13,NULL,'stock',NULL,1795007871721531,NULL,'key-12',1);
INSERT INTO "events" VALUES(1,25,'reward',NULL,13,'stock',0.2,1795007871723519,NULL,NULL,NULL);
INSERT INTO "events" VALUES(1,26,'decision',14,NULL,'stock',NULL,1795007871725029,NULL,'key-13',1);
INSERT INTO "events" VALUES(1,27,'reward',NULL,14,'stock',0.3,1795007871728654,NULL,NULL,NULL);
INSERT INTO "events" VALUES(1,28,'decision',15,NULL,'stock',NULL,1795007871731530,NULL,'key-14',1);
INSERT INTO "events" VALUES(1,29,'forgotten',NULL,15,'stock',NULL,1795007871734550,NULL,NULL,NULL);
INSERT INTO "events" VALUES(1,30,'decision',16,NULL,'bond',NULL,1795007871737058,NULL,'key-15',1);
INSERT INTO "events" VALUES(1,31,'reward',NULL,16,'bond',0.0,1795007871740641,NULL,NULL,NULL);
INSERT INTO "events" VALUES(1,32,'decision',17,NULL,'stock',NULL,1795007871743551,NULL,'key-16',1);
INSERT INTO "events" VALUES(1,33,'reward',NULL,17,'stock',0.1,1795007871746762,NULL,NULL,NULL);
INSERT INTO "events" VALUES(1,34,'decision',18,NULL,'stock',NULL,1795007871750521,NULL,'key-17',1);
INSERT INTO "events" VALUES(1,35,'reward',NULL,18,'stock',0.2,1795007871753033,NULL,NULL,NULL);
INSERT INTO "events" VALUES(1,36,'decision',19,NULL,'bond',NULL,1795007871755941,NULL,'key-18',1);
INSERT INTO "events" VALUES(1,37,'reward',NULL,19,'bond',0.3,1795007871758538,NULL,NULL,NULL);
INSERT INTO "events" VALUES(1,38,'decision',20,NULL,'stock',NULL,1795007871761080,NULL,'key-19',1);
INSERT INTO "events" VALUES(1,39,'reward',NULL,20,'stock',0.4,1795007871764661,NULL,NULL,NULL);
INSERT INTO "events" VALUES(1,40,'decision',21,NULL,'stock',NULL,1795007871767583,NULL,'key-20',1);
INSERT INTO "events" VALUES(1,41,'reward',NULL,21,'stock',0.0,1795007871770627,NULL,NULL,NULL);
INSERT INTO "events" VALUES(1,42,'decision',22,NULL,'bond',NULL,1795007871773647,NULL,'key-21',1);
INSERT INTO "events" VALUES(1,43,'decision',23,NULL,'bond',NULL,1795007871777085,NULL,'key-22',1);
INSERT INTO "events" VALUES(1,44,'reward',NULL,23,'bond',0.2,1795007871779081,NULL,NULL,NULL);
INSERT INTO "events" VALUES(1,45,'decision',24,NULL,'stock',NULL,1795007871781257,NULL,'key-23',1);
INSERT INTO "events" VALUES(1,46,'reward',NULL,24,'stock',0.3,1795007871784700,NULL,NULL,NULL);
INSERT INTO "events" VALUES(1,47,'decision',25,NULL,'bond',NULL,1795007871787541,NULL,'key-24',1);
INSERT INTO "events" VALUES(1,48,'reward',NULL,25,'bond',0.4,1795007871790563,NULL,NULL,NULL);
INSERT INTO "events" VALUES(1,49,'decision',26,NULL,'bond',NULL,1795007871792797,NULL,'key-25',1);
INSERT INTO "events" VALUES(1,50,'reward',NULL,26,'bond',0.0,1795007871795879,NULL,NULL,NULL);
INSERT INTO "events" VALUES(1,51,'decision',27,NULL,'stock',NULL,1795007871797876,NULL,'key-26',1);
INSERT INTO "events" VALUES(1,52,'reward',NULL,27,'stock',0.1,1795007871800818,NULL,NULL,NULL);
INSERT INTO "events" VALUES(1,53,'decision',28,NULL,'bond',NULL,1795007871803795,NULL,'key-27',1);
INSERT INTO "events" VALUES(1,54,'reward',NULL,28,'bond',0.2,1795007871806394,NULL,NULL,NULL);
INSERT INTO "events" VALUES(1,55,'decision',29,NULL,'stock',NULL,1795007871807752,NULL,'key-28',1);
INSERT INTO "events" VALUES(1,56,'forgotten',NULL,29,'stock',NULL,1795007871811391,NULL,NULL,NULL);
INSERT INTO "events" VALUES(1,57,'decision',30,NULL,'bond',NULL,1795007871813538,NULL,'key-29',1);
INSERT INTO "events" VALUES(1,58,'reward',NULL,30,'bond',0.4,1795007871816590,NULL,NULL,NULL);
INSERT INTO "events" VALUES(1,59,'decision',31,NULL,'bond',NULL,1795007871819147,NULL,'key-30',1);
INSERT INTO "events" VALUES(1,60,'reward',NULL,31,'bond',0.0,1795007871821558,NULL,NULL,NULL);
INSERT INTO "events" VALUES(1,61,'decision',32,NULL,'bond',NULL,1795007871823579,NULL,'key-31',1);
INSERT INTO "events" VALUES(1,62,'reward',NULL,32,'bond',0.1,1795007871826299,NULL,NULL,NULL);
INSERT INTO "events" VALUES(1,63,'decision',33,NULL,'stock',NULL,1795007871829033,NULL,'key-32',1);
INSERT INTO "events" VALUES(1,64,'reward',NULL,33,'stock',0.2,1795007871831530,NULL,NULL,NULL);
INSERT INTO "events" VALUES(1,65,'decision',34,NULL,'stock',NULL,1795007871833290,NULL,'key-33',1);
INSERT INTO "events" VALUES(1,66,'reward',NULL,34,'stock',0.3,1795007871836590,NULL,NULL,NULL);
INSERT INTO "events" VALUES(1,67,'decision',35,NULL,'stock',NULL,1795007871838514,NULL,'key-34',1);
INSERT INTO "events" VALUES(1,68,'reward',NULL,35,'stock',0.4,1795007871840590,NULL,NULL,NULL);
INSERT INTO "events" VALUES(1,69,'decision',36,NULL,'stock',NULL,1795007871843475,NULL,'key-35',1);
INSERT INTO "events" VALUES(1,70,'decision',37,NULL,'stock',NULL,1795007871845036,NULL,'key-36',1);
INSERT INTO "events" VALUES(1,71,'reward',NULL,37,'stock',0.1,1795007871846841,NULL,NULL,NULL);
INSERT INTO "events" VALUES(1,72,'decision',38,NULL,'stock',NULL,1795007871848745,NULL,'key-37',1);
INSERT INTO "events" VALUES(1,73,'reward',NULL,38,'stock',0.2,1795007871850512,NULL,NULL,NULL);
INSERT INTO "events" VALUES(1,74,'decision',39,NULL,'stock',NULL,1795007871853577,NULL,'key-38',1);
INSERT INTO "events" VALUES(1,75,'reward',NULL,39,'stock',0.3,1795007871856035,NULL,NULL,NULL);
INSERT INTO "events" VALUES(1,76,'decision',40,NULL,'bond',NULL,1795007871858533,NULL,'key-39',1);
INSERT INTO "events" VALUES(1,77,'reward',NULL,40,'bond',0.4,1795007871861012,NULL,NULL,NULL);
INSERT INTO "events" VALUES(1,78,'decision',41,NULL,'bond',NULL,1795007871863537,'["bond"]',NULL,3);
INSERT INTO "events" VALUES(1,79,'decision',42,NULL,'bond',NULL,1795007871863537,'["bond"]',NULL,NULL);
INSERT INTO "events" VALUES(1,80,'decision',43,NULL,'bond',NULL,1795007871863537,'["bond"]',NULL,NULL);
INSERT INTO "events" VALUES(1,81,'arm-added',NULL,NULL,'gold',NULL,1795007871865711,NULL,NULL,NULL);
INSERT INTO "events" VALUES(1,82,'decision',44,NULL,'gold',NULL,1795007871868149,NULL,NULL,6);
INSERT INTO "events" VALUES(1,83,'decision',45,NULL,'stock',NULL,1795007871868149,NULL,NULL,NULL);
INSERT INTO "events" VALUES(1,84,'decision',46,NULL,'stock',NULL,1795007871868149,NULL,NULL,NULL);
INSERT INTO "events" VALUES(1,85,'decision',47,NULL,'stock',NULL,1795007871868149,NULL,NULL,NULL);
INSERT INTO "events" VALUES(1,86,'decision',48,NULL,'bond',NULL,1795007871868149,NULL,NULL,NULL);
INSERT INTO "events" VALUES(1,87,'decision',49,NULL,'bond',NULL,1795007871868149,NULL,NULL,NULL);
INSERT INTO "events" VALUES(1,88,'arm-retired',NULL,NULL,'bond',NULL,1795007871870510,NULL,NULL,NULL);
INSERT INTO "events" VALUES(1,89,'decision',50,NULL,'stock',NULL,1795007871873550,NULL,NULL,2);
INSERT INTO "events" VALUES(1,90,'decision',51,NULL,'stock',NULL,1795007871873550,NULL,NULL,NULL);
INSERT INTO "events" VALUES(1,91,'arm-added',NULL,NULL,'silver',NULL,1795007876352596,NULL,NULL,NULL);
INSERT INTO "events" VALUES(1,92,'decision',52,NULL,'silver',NULL,1795007876699598,NULL,NULL,1);
INSERT INTO "events" VALUES(1,93,'reward',NULL,52,'silver',0.5,1795007876705504,NULL,NULL,NULL);
INSERT INTO "events" VALUES(1,94,'decision',53,NULL,'silver',NULL,1795007876726924,NULL,'last',1);
INSERT INTO "events" VALUES(2,1,'decision',1,NULL,'bond',NULL,1795007873176924,NULL,'key-0',1);
INSERT INTO "events" VALUES(2,2,'forgotten',NULL,1,'bond',NULL,1795007873182129,NULL,NULL,NULL);
INSERT INTO "events" VALUES(2,3,'decision',2,NULL,'bond',NULL,1795007873186073,NULL,'key-1',1);
INSERT INTO "events" VALUES(2,4,'reward',NULL,2,'bond',0.1,1795007873191949,NULL,NULL,NULL);
INSERT INTO "events" VALUES(2,5,'decision',3,NULL,'stock',NULL,1795007873198942,NULL,'key-2',1);
INSERT INTO "events" VALUES(2,6,'reward',NULL,3,'stock',0.2,1795007873201940,NULL,NULL,NULL);
INSERT INTO "events" VALUES(2,7,'decision',4,NULL,'bond',NULL,1795007873209942,NULL,'key-3',1);
INSERT INTO "events" VALUES(2,8,'reward',NULL,4,'bond',0.3,1795007873217948,NULL,NULL,NULL);
INSERT INTO "events" VALUES(2,9,'decision',5,NULL,'stock',NULL,1795007873225110,NULL,'key-4',1);
INSERT INTO "events" VALUES(2,10,'reward',NULL,5,'stock',0.4,1795007873231750,NULL,NULL,NULL);
INSERT INTO "events" VALUES(2,11,'decision',6,NULL,'stock',NULL,1795007873235463,NULL,'key-5',1);
INSERT INTO "events" VALUES(2,12,'reward',NULL,6,'stock',0.0,1795007873237537,NULL,NULL,NULL);
INSERT INTO "events" VALUES(2,13,'decision',7,NULL,'bond',NULL,1795007873239519,NULL,'key-6',1);
INSERT INTO "events" VALUES(2,14,'reward',NULL,7,'bond',0.1,1795007873241506,NULL,NULL,NULL);
INSERT INTO "events" VALUES(2,15,'decision',8,NULL,'bond',NULL,1795007873242513,NULL,'key-7',1);
INSERT INTO "events" VALUES(2,16,'decision',9,NULL,'bond',NULL,1795007873246068,NULL,'key-8',1);
INSERT INTO "events" VALUES(2,17,'reward',NULL,9,'bond',0.3,1795007873257039,NULL,NULL,NULL);
INSERT INTO "events" VALUES(2,18,'decision',10,NULL,'bond',NULL,1795007873260733,NULL,'key-9',1);
INSERT INTO "events" VALUES(2,19,'reward',NULL,10,'bond',0.4,1795007873265057,NULL,NULL,NULL);
INSERT INTO "events" VALUES(2,20,'decision',11,NULL,'stock',NULL,1795007873270770,NULL,'key-10',1);
INSERT INTO "events" VALUES(2,21,'reward',NULL,11,'stock',0.0,1795007873275337,NULL,NULL,NULL);
INSERT INTO "events" VALUES(2,22,'decision',12,NULL,'bond',NULL,1795007873278122,NULL,'key-11',1);
INSERT INTO "events" VALUES(2,23,'reward',NULL,12,'bond',0.1,1795007873284996,NULL,NULL,NULL);
INSERT INTO "events" VALUES(2,24,'decision',13,NULL,'stock',NULL,1795007873289307,NULL,'key-12',1);
INSERT INTO "events" VALUES(2,25,'reward',NULL,13,'stock',0.2,1795007873294065,NULL,NULL,NULL);
INSERT INTO "events" VALUES(2,26,'decision',14,NULL,'bond',NULL,1795007873299183,NULL,'key-13',1);
INSERT INTO "events" VALUES(2,27,'reward',NULL,14,'bond',0.3,1795007873302979,NULL,NULL,NULL);
INSERT INTO "events" VALUES(2,28,'decision',15,NULL,'stock',NULL,1795007873308038,NULL,'key-14',1);
INSERT INTO "events" VALUES(2,29,'forgotten',NULL,15,'stock',NULL,1795007873313038,NULL,NULL,NULL);
INSERT INTO "events" VALUES(2,30,'decision',16,NULL,'bond',NULL,1795007873317033,NULL,'key-15',1);
INSERT INTO "events" VALUES(2,31,'reward',NULL,16,'bond',0.0,1795007873326072,NULL,NULL,NULL);
INSERT INTO "events" VALUES(2,32,'decision',17,NULL,'bond',NULL,1795007873328993,NULL,'key-16',1);
INSERT INTO "events" VALUES(2,33,'reward',NULL,17,'bond',0.1,1795007873332937,NULL,NULL,NULL);
INSERT INTO "events" VALUES(2,34,'decision',18,NULL,'bond',NULL,1795007873338102,NULL,'key-17',1);
INSERT INTO "events" VALUES(2,35,'reward',NULL,18,'bond',0.2,1795007873342043,NULL,NULL,NULL);
INSERT INTO "events" VALUES(2,36,'decision',19,NULL,'bond',NULL,1795007873344779,NULL,'key-18',1);
INSERT INTO "events" VALUES(2,37,'reward',NULL,19,'bond',0.3,1795007873348568,NULL,NULL,NULL);
INSERT INTO "events" VALUES(2,38,'decision',20,NULL,'stock',NULL,1795007873352935,NULL,'key-19',1);
INSERT INTO "events" VALUES(2,39,'reward',NULL,20,'stock',0.4,1795007873356095,NULL,NULL,NULL);
INSERT INTO "events" VALUES(2,40,'decision',21,NULL,'stock',NULL,1795007873361951,NULL,'key-20',1);
INSERT INTO "events" VALUES(2,41,'reward',NULL,21,'stock',0.0,1795007873365143,NULL,NULL,NULL);
INSERT INTO "events" VALUES(2,42,'decision',22,NULL,'stock',NULL,1795007873372855,NULL,'key-21',1);
INSERT INTO "events" VALUES(2,43,'decision',23,NULL,'bond',NULL,1795007873376107,NULL,'key-22',1);
INSERT INTO "events" VALUES(2,44,'reward',NULL,23,'bond',0.2,1795007873380319,NULL,NULL,NULL);
INSERT INTO "events" VALUES(2,45,'decision',24,NULL,'bond',NULL,1795007873385270,NULL,'key-23',1);
INSERT INTO "events" VALUES(2,46,'reward',NULL,24,'bond',0.3,1795007873386449,NULL,NULL,NULL);
INSERT INTO "events" VALUES(2,47,'decision',25,NULL,'bond',NULL,1795007873392985,NULL,'key-24',1);
INSERT INTO "events" VALUES(2,48,'reward',NULL,25,'bond',0.4,1795007873397007,NULL,NULL,NULL);
INSERT INTO "events" VALUES(2,49,'decision',26,NULL,'stock',NULL,1795007873400994,NULL,'key-25',1);
INSERT INTO "events" VALUES(2,50,'reward',NULL,26,'stock',0.0,1795007873404984,NULL,NULL,NULL);
INSERT INTO "events" VALUES(2,51,'decision',27,NULL,'bond',NULL,1795007873408999,NULL,'key-26',1);
INSERT INTO "events" VALUES(2,52,'reward',NULL,27,'bond',0.1,1795007873412982,NULL,NULL,NULL);
INSERT INTO "events" VALUES(2,53,'decision',28,NULL,'bond',NULL,1795007873416983,NULL,'key-27',1);
INSERT INTO "events" VALUES(2,54,'reward',NULL,28,'bond',0.2,1795007873420994,NULL,NULL,NULL);
INSERT INTO "events" VALUES(2,55,'decision',29,NULL,'bond',NULL,1795007873425582,NULL,'key-28',1);
INSERT INTO "events" VALUES(2,56,'forgotten',NULL,29,'bond',NULL,1795007873430318,NULL,NULL,NULL);
INSERT INTO "events" VALUES(2,57,'decision',30,NULL,'bond',NULL,1795007873432566,NULL,'key-29',1);
INSERT INTO "events" VALUES(2,58,'reward',NULL,30,'bond',0.4,1795007873436603,NULL,NULL,NULL);
INSERT INTO "events" VALUES(2,59,'decision',31,NULL,'stock',NULL,1795007873440846,NULL,'key-30',1);
INSERT INTO "events" VALUES(2,60,'reward',NULL,31,'stock',0.0,1795007873445004,NULL,NULL,NULL);
INSERT INTO "events" VALUES(2,61,'decision',32,NULL,'bond',NULL,1795007873449012,NULL,'key-31',1);
INSERT INTO "events" VALUES(2,62,'reward',NULL,32,'bond',0.1,1795007873453025,NULL,NULL,NULL);
INSERT INTO "events" VALUES(2,63,'decision',33,NULL,'stock',NULL,1795007873457832,NULL,'key-32',1);
INSERT INTO "events" VALUES(2,64,'reward',NULL,33,'stock',0.2,1795007873466003,NULL,NULL,NULL);
INSERT INTO "events" VALUES(2,65,'decision',34,NULL,'bond',NULL,1795007873470274,NULL,'key-33',1);
INSERT INTO "events" VALUES(2,66,'reward',NULL,34,'bond',0.3,1795007873476988,NULL,NULL,NULL);
INSERT INTO "events" VALUES(2,67,'decision',35,NULL,'bond',NULL,1795007873481014,NULL,'key-34',1);
INSERT INTO "events" VALUES(2,68,'reward',NULL,35,'bond',0.4,1795007873489293,NULL,NULL,NULL);
INSERT INTO "events" VALUES(2,69,'decision',36,NULL,'bond',NULL,1795007873494526,NULL,'key-35',1);
INSERT INTO "events" VALUES(2,70,'decision',37,NULL,'bond',NULL,1795007873499821,NULL,'key-36',1);
INSERT INTO "events" VALUES(2,71,'reward',NULL,37,'bond',0.1,1795007873509026,NULL,NULL,NULL);
INSERT INTO "events" VALUES(2,72,'decision',38,NULL,'bond',NULL,1795007873520973,NULL,'key-37',1);
INSERT INTO "events" VALUES(2,73,'reward',NULL,38,'bond',0.2,1795007873525704,NULL,NULL,NULL);
INSERT INTO "events" VALUES(2,74,'decision',39,NULL,'bond',NULL,1795007873529028,NULL,'key-38',1);
INSERT INTO "events" VALUES(2,75,'reward',NULL,39,'bond',0.3,1795007873537035,NULL,NULL,NULL);
INSERT INTO "events" VALUES(2,76,'decision',40,NULL,'bond',NULL,1795007873545035,NULL,'key-39',1);
INSERT INTO "events" VALUES(2,77,'reward',NULL,40,'bond',0.4,1795007873548501,NULL,NULL,NULL);
INSERT INTO "events" VALUES(2,78,'decision',41,NULL,'bond',NULL,1795007873553015,'["bond"]',NULL,3);
INSERT INTO "events" VALUES(2,79,'decision',42,NULL,'bond',NULL,1795007873553015,'["bond"]',NULL,NULL);
INSERT INTO "events" VALUES(2,80,'decision',43,NULL,'bond',NULL,1795007873553015,'["bond"]',NULL,NULL);
INSERT INTO "events" VALUES(2,81,'arm-added',NULL,NULL,'silver',NULL,1795007876375193,NULL,NULL,NULL);
INSERT INTO "events" VALUES(2,82,'decision',44,NULL,'silver',NULL,1795007876713612,NULL,NULL,1);
INSERT INTO "events" VALUES(2,83,'reward',NULL,44,'silver',0.5,1795007876721928,NULL,NULL,NULL);
INSERT INTO "events" VALUES(3,1,'decision',1,NULL,'bond',NULL,1795007873569407,NULL,'key-0',1);
INSERT INTO "events" VALUES(3,3,'decision',2,NULL,'bond',NULL,1795007873588488,NULL,'key-1',1);
INSERT INTO "events" VALUES(3,5,'decision',3,NULL,'stock',NULL,1795007873606494,NULL,'key-2',1);
INSERT INTO "events" VALUES(3,7,'decision',4,NULL,'bond',NULL,1795007873632392,NULL,'key-3',1);
INSERT INTO "events" VALUES(3,9,'decision',5,NULL,'stock',NULL,1795007873648570,NULL,'key-4',1);
INSERT INTO "events" VALUES(3,11,'decision',6,NULL,'bond',NULL,1795007873657118,NULL,'key-5',1);
INSERT INTO "events" VALUES(3,13,'decision',7,NULL,'stock',NULL,1795007873670936,NULL,'key-6',1);
INSERT INTO "events" VALUES(3,15,'decision',8,NULL,'stock',NULL,1795007873681516,NULL,'key-7',1);
INSERT INTO "events" VALUES(3,16,'decision',9,NULL,'stock',NULL,1795007873688626,NULL,'key-8',1);
INSERT INTO "events" VALUES(3,18,'decision',10,NULL,'bond',NULL,1795007873709551,NULL,'key-9',1);
INSERT INTO "events" VALUES(3,20,'decision',11,NULL,'stock',NULL,1795007873716706,NULL,'key-10',1);
INSERT INTO "events" VALUES(3,22,'decision',12,NULL,'bond',NULL,1795007873719739,NULL,'key-11',1);
INSERT INTO "events" VALUES(3,24,'decision',13,NULL,'stock',NULL,1795007873722789,NULL,'key-12',1);
INSERT INTO "events" VALUES(3,26,'decision',14,NULL,'stock',NULL,1795007873724963,NULL,'key-13',1);
INSERT INTO "events" VALUES(3,28,'decision',15,NULL,'stock',NULL,1795007873737954,NULL,'key-14',1);
INSERT INTO "events" VALUES(3,30,'decision',16,NULL,'bond',NULL,1795007873776994,NULL,'key-15',1);
INSERT INTO "events" VALUES(3,32,'decision',17,NULL,'stock',NULL,1795007873797943,NULL,'key-16',1);
INSERT INTO "events" VALUES(3,34,'decision',18,NULL,'stock',NULL,1795007873811772,NULL,'key-17',1);
INSERT INTO "events" VALUES(3,36,'decision',19,NULL,'bond',NULL,1795007873826940,NULL,'key-18',1);
INSERT INTO "events" VALUES(3,38,'decision',20,NULL,'stock',NULL,1795007873842946,NULL,'key-19',1);
INSERT INTO "events" VALUES(3,40,'decision',21,NULL,'bond',NULL,1795007873860582,'["bond"]',NULL,3);
INSERT INTO "events" VALUES(3,41,'decision',22,NULL,'bond',NULL,1795007873860582,'["bond"]',NULL,NULL);
INSERT INTO "events" VALUES(3,42,'decision',23,NULL,'bond',NULL,1795007873860582,'["bond"]',NULL,NULL);
INSERT INTO "events" VALUES(3,47,'decision',24,NULL,'stock',NULL,1795007875398948,NULL,NULL,2);
INSERT INTO "events" VALUES(3,48,'decision',25,NULL,'stock',NULL,1795007875398948,NULL,NULL,NULL);
INSERT INTO "events" VALUES(3,49,'reward',NULL,24,'stock',0.25,1795007875402799,NULL,NULL,NULL);
INSERT INTO "events" VALUES(4,1,'decision',1,NULL,'bond',NULL,1795007876345074,'["bond"]',NULL,3);
INSERT INTO "events" VALUES(4,2,'decision',2,NULL,'bond',NULL,1795007876345074,'["bond"]',NULL,NULL);
INSERT INTO "events" VALUES(4,3,'decision',3,NULL,'bond',NULL,1795007876345074,'["bond"]',NULL,NULL);
INSERT INTO "events" VALUES(4,4,'arm-added',NULL,NULL,'silver',NULL,1795007876388478,NULL,NULL,NULL);
CREATE TABLE keys (
	id INTEGER NOT NULL, 
	role VARCHAR(16) NOT NULL, 
	note VARCHAR(200) NOT NULL, 
	digest BLOB NOT NULL, 
	created BIGINT NOT NULL, 
	revoked BIGINT, 
	CONSTRAINT keys_pk PRIMARY KEY (id)
);
INSERT INTO "keys" VALUES(1,'admin','',X'1D4012F7298A8CE01F6C95C78F346359E02D9B96713CDCFDF09C58800C1BAB8A',1795007869944517,NULL);
CREATE TABLE snapshots (
	bandit_id INTEGER NOT NULL, 
	sequence BIGINT NOT NULL, 
	learner TEXT NOT NULL, 
	rest TEXT NOT NULL, 
	CONSTRAINT snapshots_pk PRIMARY KEY (bandit_id, sequence), 
	CONSTRAINT snapshots_bandit_id FOREIGN KEY(bandit_id) REFERENCES bandits (id)
);
INSERT INTO "snapshots" VALUES(3,46,'{"format": "riskbandits-learner", "version": 2, "checksum": "053c6e85ab7dddc31d0c3a8fc25bda294b7273586f38da4c1fb8587d12000db5",
"content": {"arms": [{"counts": [7, 0, 11], "moments": [7.0, 0.17142857142857146, 0.15428571428571428], "name": "bond", "state": [7.0, 0.17142857142857146, 0.15428571428571428, 0.021111946516469905, 0.0]}, {"counts": [10, 0, 12], "moments": [10.0, 0.22, 0.156], "name": "stock", "state": [10.0, 0.22, 0.156, 0.021111946516469905, 0.0]}], "decisions": 23, "dropped": 23, "guard": null, "horizon": null, "long_retired": {"arms": 0, "chosen": 0, "told": 0}, "outstanding": 0, "policy": {"class": "SwitchingAware", "fields": {"anytime": false, "policy": {"class": "NGTS", "fields": {"anytime": false, "optimism": 80.0, "plays_first": 1, "pooled": true, "rate": 0.5, "shape": 0.0}}, "power": 1.0}}, "propensity": false, "remember": 0, "retired": [], "risk": {"class": "MeanVariance", "fields": {"rho": 1.0}}, "rng": {"bit_generator": "PCG64", "has_uint32": 0, "state": {"inc": 261136684632268670825940853076396136793, "state": 125868038983077191240824364305970036484}, "uinteger": 0}, "run": [23.0, 3.1354942159291497, "inf", 17.0, 3.4000000000000004, 17.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.05212860351426869, 0.2], "settled": {"numbers": "", "rewards": ""}}}','{"at": 1795007875029689, "counts": {"decision": 23, "reward": 17, "forgotten": 2, "expired": 4, "arm-added": 0, "arm-retired": 0}, "open": []}');
INSERT INTO "snapshots" VALUES(1,91,'{"format": "riskbandits-learner", "version": 2, "checksum": "648dc55a8206943b47926ba162ebe92fd01dcdf139d7cf1320252c64324f7e77",
"content": {"arms": [{"counts": [19, 7, 28], "moments": [19.0, 0.21578947368421053, 0.28526315789473683], "name": "stock", "open": [8, 36, 45, 46, 47, 50, 51], "state": [19.0, 0.21578947368421053, 0.28526315789473683, 0.0204471049084395, 0.0]}, {"counts": [0, 1, 1], "moments": [0.0, 0.0, 0.0], "name": "gold", "open": [44], "state": [0.0, 0.0, 0.0, 0.0, 0.0]}, {"counts": [0, 0, 0], "moments": [0.0, 0.0, 0.0], "name": "silver", "state": [0.0, 0.0, 0.0, 0.0, 0.0]}], "decisions": 51, "dropped": 40, "guard": null, "horizon": null, "long_retired": {"arms": 0, "chosen": 0, "told": 0}, "outstanding": 8, "policy": {"class": "SwitchingAware", "fields": {"anytime": false, "policy": {"class": "NGTS", "fields": {"anytime": false, "optimism": 80.0, "plays_first": 1, "pooled": true, "rate": 0.5, "shape": 0.0}}, "power": 1.0}}, "propensity": false, "remember": 0, "retired": [{"counts": [15, 6, 22], "moments": [15.0, 0.19333333333333336, 0.3693333333333334], "name": "bond", "open": [22, 41, 42, 43, 48, 49], "state": [15.0, 0.19333333333333336, 0.3693333333333334, 0.0204471049084395, 0.0]}], "risk": {"class": "MeanVariance", "fields": {"rho": 1.0}}, "rng": {"bit_generator": "PCG64", "has_uint32": 0, "state": {"inc": 261136684632268670825940853076396136793, "state": 260926691022404189170580799141003176260}, "uinteger": 0}, "run": [51.0, 3.9318256327243257, "inf", 34.0, 7.000000000000001, 34.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.03500700210070024, 0.2058823529411765], "settled": {"numbers": "", "rewards": ""}}}','{"at": 1795007876352596, "counts": {"decision": 51, "reward": 34, "forgotten": 3, "expired": 0, "arm-added": 2, "arm-retired": 1}, "open": [[8, 1795094271699052], [22, 1795094271773647], [36, 1795094271843475], [41, 1795094271863537], [42, 1795094271863537], [43, 1795094271863537], [44, 1795094271868149], [45, 1795094271868149], [46, 1795094271868149], [47, 1795094271868149], [48, 1795094271868149], [49, 1795094271868149], [50, 1795094271873550], [51, 1795094271873550]]}');
INSERT INTO "snapshots" VALUES(2,81,'{"format": "riskbandits-learner", "version": 2, "checksum": "7964e2d0c10a755585ae3ad35d43353e3e2d6bc9109d79c380cf966e7e9f84a7",
"content": {"arms": [{"counts": [24, 5, 31], "history": {"counts": [1.0, 7.0, 4.0, 7.0, 5.0, 1.0], "values": [0.0, 0.1, 0.2, 0.3, 0.4, 1.0]}, "moments": [24.0, 0.23333333333333334, 0.35333333333333344], "name": "bond", "open": [8, 36, 41, 42, 43], "state": [0.0, 0.0, 0.0, 14.0, 8.0, 6.0, 25.0, "-inf", "inf", 0.0]}, {"counts": [10, 1, 12], "history": {"counts": [5.0, 3.0, 2.0, 1.0], "values": [0.0, 0.2, 0.4, 1.0]}, "moments": [10.0, 0.14, 0.24400000000000008], "name": "stock", "open": [22], "state": [0.0, 0.0, 0.0, 38.0, 8.0, 4.0, 11.0, 0.1925361754292058, 0.1925361754292058, -1.0]}, {"counts": [0, 0, 0], "history": {"counts": [], "values": []}, "moments": [0.0, 0.0, 0.0], "name": "silver", "state": [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]}], "decisions": 43, "dropped": 40, "guard": null, "horizon": null, "long_retired": {"arms": 0, "chosen": 0, "told": 0}, "outstanding": 6, "policy": {"class": "NPTS", "fields": {"anchor": 1.0, "use_anchor": true}}, "propensity": false, "remember": 0, "retired": [], "risk": {"class": "MeanVariance", "fields": {"rho": 1.0}}, "rng": {"bit_generator": "PCG64", "has_uint32": 0, "state": {"inc": 261136684632268670825940853076396136793, "state": 62197673889713158176154380187254890546}, "uinteger": 0}, "run": [43.0, 3.7612001156935624, "inf", 34.0, 7.000000000000001, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], "settled": {"numbers": "", "rewards": ""}}}','{"at": 1795007876375193, "counts": {"decision": 43, "reward": 34, "forgotten": 3, "expired": 0, "arm-added": 1, "arm-retired": 0}, "open": [[8, 1795094273242513], [22, 1795094273372855], [36, 1795094273494526], [41, 1795094273553015], [42, 1795094273553015], [43, 1795094273553015]]}');
INSERT INTO "snapshots" VALUES(4,4,'{"format": "riskbandits-learner", "version": 2, "checksum": "7d5194e1a6c9674424adde99145a8f7728a9f422b475f81907c8afc3511fdf55",
"content": {"arms": [{"counts": [0, 3, 3], "moments": [0.0, 0.0, 0.0], "name": "bond", "open": [1, 2, 3], "state": [0.0, 0.0]}, {"counts": [0, 0, 0], "moments": [0.0, 0.0, 0.0], "name": "stock", "state": [0.0, 0.0]}, {"counts": [0, 0, 0], "moments": [0.0, 0.0, 0.0], "name": "silver", "state": [0.0, 0.0]}], "decisions": 3, "dropped": 0, "guard": null, "horizon": null, "long_retired": {"arms": 0, "chosen": 0, "told": 0}, "outstanding": 3, "policy": {"class": "BMVTS", "fields": {"failures_prior": 1.0, "successes_prior": 1.0}}, "propensity": false, "remember": 0, "retired": [], "risk": {"class": "MeanVariance", "fields": {"rho": 1.0}}, "rng": {"bit_generator": "PCG64", "has_uint32": 0, "state": {"inc": 233193750087604940414945475171846202189, "state": 177215994437234489015678159092757571922}, "uinteger": 0}, "run": [3.0, 1.0986122886681098, "inf", 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], "settled": {"numbers": "", "rewards": ""}}}','{"at": 1795007876388478, "counts": {"decision": 3, "reward": 0, "forgotten": 0, "expired": 0, "arm-added": 1, "arm-retired": 0}, "open": [[1, 1795094276345074], [2, 1795094276345074], [3, 1795094276345074]]}');
CREATE UNIQUE INDEX events_decides ON events (bandit_id, decides) WHERE decides IS NOT NULL;
CREATE UNIQUE INDEX events_settles ON events (bandit_id, settles) WHERE settles IS NOT NULL;
CREATE UNIQUE INDEX events_key ON events (bandit_id, "key") WHERE key IS NOT NULL;
COMMIT;
