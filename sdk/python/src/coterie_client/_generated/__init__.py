"""Generated from the OpenAPI document by `make sdk`: do not edit."""
