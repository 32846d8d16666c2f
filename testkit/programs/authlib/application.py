"""An application of Flask that logs in by Authlib, with the settings of the portal as they stand in a file."""

import os
import secrets
import sys

from authlib.integrations.flask_client import OAuth
from flask import Flask, jsonify, redirect, session, url_for

port, settings = sys.argv[1:]

app = Flask(__name__)
app.secret_key = secrets.token_bytes(32)
oauth = OAuth(app)
with open(settings, encoding="utf-8") as file:
    exec(file.read(), {"oauth": oauth, "os": os})


@app.get("/")
def home():
    return jsonify(session.get("user"))


@app.get("/login")
def login():
    return oauth.countersign.authorize_redirect(url_for("callback", _external=True))


@app.get("/callback")
def callback():
    token = oauth.countersign.authorize_access_token()
    session["user"] = {"id_token": token["userinfo"], "userinfo": oauth.countersign.userinfo(token=token)}
    return redirect("/")


app.run("127.0.0.1", int(port))
