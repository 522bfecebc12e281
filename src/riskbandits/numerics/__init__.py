"""Sample moments kept in a state row, and random variates: what policies are made of."""
