"""The Hugging Face hub: names of repositories, and the files they stand for."""
