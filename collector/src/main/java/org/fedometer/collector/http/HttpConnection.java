package org.fedometer.collector.http;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.zip.GZIPOutputStream;
import org.fedometer.collector.receive.RefusalLog;
import org.fedometer.collector.receive.Refusals;
import org.fedometer.collector.receive.TlsGate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection for one request and its response, so that slow or repeated requests hold no slot.
 *
 * <p>Streams have no time limit, but a limit of unsent bytes. Runs on the connection's event loop;
 * responses are made on another thread.
 */
final class HttpConnection extends SimpleChannelInboundHandler<HttpObject> {
  private static final Logger LOG = LoggerFactory.getLogger(HttpConnection.class);
  private static final Pattern GZIP =
      Pattern.compile("(?:^|[,\\s])gzip\\s*(?:$|,|;\\s*q\\s*=\\s*(?:1|0\\.\\d*[1-9]))");
  private static final int MAX_PARAMETERS = 8;
  private static final int MIN_COMPRESSED_BYTES = 1024;

  private final Routes routes;
  private final HttpAccess access;
  private final Executor workers;
  private final HttpListener.Limits limits;
  private final HttpListener.Slot slot;
  private final RefusalLog refusalLog;
  private Future<?> timeout;
  private boolean requested;
  private boolean withoutBody;
  private boolean acceptsGzip;

  /** Null without a stream. */
  private Runnable endStream;

  HttpConnection(
      Routes routes,
      HttpAccess access,
      Executor workers,
      HttpListener.Limits limits,
      HttpListener.Slot slot,
      RefusalLog refusalLog) {
    this.routes = routes;
    this.access = access;
    this.workers = workers;
    this.limits = limits;
    this.slot = slot;
    this.refusalLog = refusalLog;
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    closeAfter(context, limits.requestTimeout().toMillis());
    context.fireChannelActive();
  }

  private void closeAfter(ChannelHandlerContext context, long millis) {
    if (timeout != null) {
      timeout.cancel(false);
    }
    timeout = context.executor().schedule(() -> context.close(), millis, TimeUnit.MILLISECONDS);
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    timeout.cancel(false);
    if (endStream != null) {
      endStream.run();
    }
    context.fireChannelInactive();
  }

  /** Discards everything after the head and after the first request. */
  @Override
  protected void channelRead0(ChannelHandlerContext context, HttpObject read) {
    if (endStream != null && read != LastHttpContent.EMPTY_LAST_CONTENT) {
      // Discarding further input would have no time limit.
      context.close();
    }
    if (requested || !(read instanceof HttpRequest request)) {
      return;
    }
    requested = true;
    slot.requestReceived();
    closeAfter(context, limits.responseTimeout().toMillis());
    withoutBody = request.method().equals(HttpMethod.HEAD);
    if (request.decoderResult().isFailure()) {
      send(context, Response.text(400, "the request is malformed"));
    } else if (!access.isThisHost(request.headers().getAll(HttpHeaderNames.HOST))) {
      send(context, Response.text(421, "the request's Host header names another host"));
    } else if (!withoutBody && !request.method().equals(HttpMethod.GET)) {
      send(context, Response.text(405, "only GET and HEAD are allowed"));
    } else {
      route(context, request);
    }
  }

  private void route(ChannelHandlerContext context, HttpRequest request) {
    String path;
    Map<String, List<String>> parameters;
    try {
      QueryStringDecoder uri =
          new QueryStringDecoder(request.uri(), StandardCharsets.UTF_8, true, MAX_PARAMETERS);
      path = uri.path();
      parameters = uri.parameters();
    } catch (IllegalArgumentException e) {
      send(context, Response.text(400, "the path is malformed"));
      return;
    }
    Routes.Route route = routes.at(path);
    HttpHeaders headers = request.headers();
    boolean trusted = access.trusts(headers.get(HttpHeaderNames.AUTHORIZATION));
    acceptsGzip = acceptsGzip(headers.get(HttpHeaderNames.ACCEPT_ENCODING));
    if (route == null) {
      send(context, Response.text(404, "nothing is here"));
    } else if (!trusted && !route.open()) {
      refusalLog.logRefusal(
          Refusals.Reason.NOT_WELCOME,
          String.valueOf(context.channel().remoteAddress()),
          "the token is missing or wrong in a request for " + path);
      send(
          context,
          Response.text(401, "give the collector's token in the header Authorization: Bearer"));
    } else {
      String ifNoneMatch = headers.get(HttpHeaderNames.IF_NONE_MATCH);
      answer(
          context, route.page(), new Request(path, parameters, trusted, withoutBody, ifNoneMatch));
    }
  }

  private static boolean acceptsGzip(String acceptEncoding) {
    return acceptEncoding != null && GZIP.matcher(acceptEncoding).find();
  }

  private void answer(ChannelHandlerContext context, Page page, Request request) {
    try {
      workers.execute(
          () -> {
            Reply reply = replyOf(page, request);
            if (reply instanceof Reply.Deferred later) {
              awaitDeferred(context, request, later);
            } else if (reply instanceof Reply.Stream stream) {
              begin(context, request, stream);
            } else {
              sendCompressed(context, (Response) reply);
            }
          });
    } catch (RejectedExecutionException e) {
      send(context, Response.text(503, "too many requests wait"));
    }
  }

  private static Reply replyOf(Page page, Request request) {
    try {
      return page.handle(request);
    } catch (Exception | Error e) {
      return failed(request, e);
    }
  }

  private static Response failed(Request request, Throwable failure) {
    LOG.error("The request for {} failed", request.path(), failure);
    return Response.text(500, "the request failed; see the collector's log");
  }

  /** Compresses on the thread for responses, since the producing thread has other work. */
  private void awaitDeferred(
      ChannelHandlerContext context, Request request, Reply.Deferred deferred) {
    context.executor().execute(() -> closeAfter(context, limits.deferredTimeout().toMillis()));
    deferred
        .response()
        .handleAsync(
            (response, failure) -> failure == null ? response : failed(request, failure), workers)
        .handleAsync(
            (response, tooMany) -> {
              sendCompressed(
                  context,
                  tooMany == null ? response : Response.text(503, "too many requests wait"));
              return null;
            },
            tooMany -> tooMany.run());
  }

  private void sendCompressed(ChannelHandlerContext context, Response response) {
    Response packed = acceptsGzip ? compressed(response) : response;
    context.executor().execute(() -> send(context, packed));
  }

  /** Returns the response itself if compression does not pay. */
  private static Response compressed(Response response) {
    if (response.body().length < MIN_COMPRESSED_BYTES) {
      return response;
    }
    ByteArrayOutputStream packed = new ByteArrayOutputStream(response.body().length / 3);
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write(response.body());
    } catch (IOException e) {
      throw new IllegalStateException("Nothing fails that is written to memory", e);
    }
    Map<String, String> headers = new HashMap<>(response.headers());
    headers.put(HttpHeaderNames.CONTENT_ENCODING.toString(), "gzip");
    headers.put(HttpHeaderNames.VARY.toString(), HttpHeaderNames.ACCEPT_ENCODING.toString());
    return new Response(
        response.status(), response.contentType(), packed.toByteArray(), Map.copyOf(headers));
  }

  private void send(ChannelHandlerContext context, Response response) {
    boolean unchanged = response.status() == HttpResponseStatus.NOT_MODIFIED.code();
    DefaultFullHttpResponse message =
        new DefaultFullHttpResponse(
            HttpVersion.HTTP_1_1,
            HttpResponseStatus.valueOf(response.status()),
            withoutBody ? Unpooled.EMPTY_BUFFER : Unpooled.wrappedBuffer(response.body()));
    HttpHeaders headers = message.headers();
    addHeaders(headers, response.contentType());
    response.headers().forEach(headers::set);
    if (!unchanged) {
      headers.set(HttpHeaderNames.CONTENT_LENGTH, response.body().length);
    }
    if (response.status() == 405) {
      headers.set(HttpHeaderNames.ALLOW, "GET, HEAD");
    } else if (response.status() == 401) {
      headers.set(HttpHeaderNames.WWW_AUTHENTICATE, "Bearer");
    }
    context.writeAndFlush(message).addListener(ChannelFutureListener.CLOSE);
  }

  private static void addHeaders(HttpHeaders headers, String contentType) {
    headers
        .set(HttpHeaderNames.CONTENT_TYPE, contentType)
        .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE)
        .set(HttpHeaderNames.CACHE_CONTROL, HttpHeaderValues.NO_STORE)
        .set(HttpHeaderNames.CONTENT_SECURITY_POLICY, "default-src 'none'; frame-ancestors 'none'")
        .set("X-Content-Type-Options", "nosniff")
        .set("Referrer-Policy", "no-referrer")
        .set("Cross-Origin-Resource-Policy", "same-origin");
  }

  // ---- streams ----

  private void begin(ChannelHandlerContext context, Request request, Reply.Stream stream) {
    Reply.StreamStart begun;
    OpenStream to = new OpenStream(context, limits.streamBytes());
    try {
      begun = stream.begin(to);
    } catch (Exception | Error e) {
      begun = new Reply.StreamStart(null, failed(request, e));
    }
    Reply.StreamStart result = begun;
    if (result.response() != null) {
      sendCompressed(context, result.response());
    } else {
      context.executor().execute(() -> begin(context, to, result.onClose()));
    }
  }

  private void begin(ChannelHandlerContext context, OpenStream to, Runnable end) {
    if (!context.channel().isActive()) {
      end.run();
      return;
    }
    endStream = end;
    // Viewers have a limit of their own and must not block scrapes.
    slot.release();
    timeout.cancel(false);
    DefaultHttpResponse head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
    addHeaders(head.headers(), "text/event-stream; charset=utf-8");
    head.headers().set("X-Accel-Buffering", "no");
    HttpUtil.setTransferEncodingChunked(head, true);
    context.writeAndFlush(head);
    to.begin(() -> closeAfter(context, limits.responseTimeout().toMillis()));
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable failure) {
    Throwable cause =
        failure instanceof DecoderException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    if (cause instanceof IOException || cause instanceof TlsGate.PlainConnectionException) {
      // Any client can cause these, including failed TLS handshakes.
      LOG.debug("HTTP, {}: {}", context.channel().remoteAddress(), cause.getMessage());
    } else {
      LOG.warn("HTTP, {}: closed", context.channel().remoteAddress(), cause);
    }
    context.close();
  }
}
