"""Work on whole deployments: examinations, moves and backups."""
