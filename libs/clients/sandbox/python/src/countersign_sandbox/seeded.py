from .answers import Client

#: The client of every sandbox (docs/specification/sandbox.md#what-is-there-from-the-start). No other service accepts its secret.
SEEDED_CLIENT = Client("5a4db000-0000-4000-8000-000000000001", "sandbox-secret-that-only-a-sandbox-accepts", ())

#: The secret with which the sandbox signs the webhooks of a client that has no endpoint. Give it to the receiver in your application.
WEBHOOK_SECRET = "whsec_VNSj3dc/OW3nB6Fti3tUedShZ5edP7Lv3nOo4MjjL0I="
