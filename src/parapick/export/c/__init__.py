"""A robot as C99 for a controller: one header, its model, a law, a test program with vectors."""
