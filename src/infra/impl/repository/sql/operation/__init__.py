"""Work of operators on the whole database: inspection, transfer, sealed secrets, election."""
