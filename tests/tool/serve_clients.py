#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Clients that drmperf serve has to bear: serve_clients.py KIND HOST:PORT"""
import select
import socket
import sys
import urllib.request

# what serve takes at once
MOST = 64
REQUEST = b"GET /metrics HTTP/1.1\r\nHost: localhost\r\n"
PATIENCE_S = 60


def send(client, data):
    """Send what the server may not want any more: it closes what is too many."""
    try:
        client.sendall(data)
    except ConnectionError:
        pass


def connect(address):
    client = socket.create_connection(address)
    send(client, REQUEST)
    return client


def is_open(client):
    """Whether the server has not closed it."""
    if not select.select([client], [], [], 0)[0]:
        return True
    try:
        return client.recv(65536) != b""
    except ConnectionError:
        return False


def scrape(address):
    url = "http://%s:%d/metrics" % address
    with urllib.request.urlopen(url, timeout=PATIENCE_S) as answer:
        print("scraped", answer.status)


def burst(address):
    """Many come at once, send a part of a head, and go; and again."""
    for _ in range(5):
        for client in [connect(address) for _ in range(MOST)]:
            client.close()


def slow(address):
    """Others send a part of their heads now and then, for ever."""
    clients = [connect(address) for _ in range(MOST)]
    while clients:
        select.select([], [], [], 0.5)
        clients = [client for client in clients if is_open(client)]
        for client in clients:
            send(client, b"X-More: y\r\n")
    print("all were sent away")


def idle(address):
    """Others have been answered, and keep their connections."""
    clients = [connect(address) for _ in range(MOST)]
    for client in clients:
        send(client, b"\r\n")
    for client in clients:
        select.select([client], [], [])
        is_open(client)
    scrape(address)


def pipelined(address):
    """One asks many times without waiting for the answers."""
    client = socket.create_connection(address)
    count = 300
    client.sendall((REQUEST + b"\r\n") * count)
    text = b""
    while text.count(b"HTTP/1.1 200") < count or not text.endswith(b"\n"):
        part = client.recv(65536)
        if not part:
            break
        text += part
    errors = [line.split()[-1] for line in text.split(b"\n")
              if line.startswith(b"drmperf_scrape_errors_total")]
    print("answers", text.count(b"HTTP/1.1 200"))
    print("read", "seldom" if len(set(errors)) < count / 3 else "each time")


host, port = sys.argv[2].rsplit(":", 1)
kinds = {"burst": burst, "slow": slow, "idle": idle, "pipelined": pipelined}
kinds[sys.argv[1]]((host, int(port)))
