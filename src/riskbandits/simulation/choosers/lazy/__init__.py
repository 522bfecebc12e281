"""Drawing only the scores that can matter: the law of a run is exactly that of scoring every arm."""
