"""One module per paper or study: settings as data, and how to draw them."""
