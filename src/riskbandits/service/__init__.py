"""The decision service: `riskbandits serve`. Needs the extra `riskbandits[service]`; the library never imports it."""
