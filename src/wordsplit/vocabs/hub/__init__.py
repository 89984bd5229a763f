"""The Hugging Face hub: names of repositories, and their files."""
