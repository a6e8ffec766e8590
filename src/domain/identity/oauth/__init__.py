"""OAuth for the clients of Coze: applications, what they ask for, and what they were given."""
