"""Drawing only the scores that can matter: a run has exactly the same distribution as if every arm were scored."""
