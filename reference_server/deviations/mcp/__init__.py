"""Deviations from MCP itself.

What `apply` receives: where no transport is named, a `bindings.jsonrpc.Dispatcher` (its `surface` lists and calls; what
is changed there shows over every transport, what is changed on the dispatcher itself in process only); for `stdio` a
`bindings.sdk.StdioServer`; for `http` a `bindings.sdk.HttpServer`. For `v1` (threads alone) it is a
`bindings.plain_http.PlainHttp`. Tools are named as the threads server has them, which also serves as `mcp`.
"""
