"""nabat2005, the Par4: its numbers and equations by reading, its loop, and the robots that it argues against."""
