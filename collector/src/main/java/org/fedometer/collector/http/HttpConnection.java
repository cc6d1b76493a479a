package org.fedometer.collector.http;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.io.IOException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.fedometer.collector.receive.TlsGate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection, of one question and its answer: nobody keeps a place by asking slowly or again.
 * On the connection's event loop but for the answer, which is made elsewhere.
 */
final class HttpConnection extends SimpleChannelInboundHandler<HttpObject> {
  private static final Logger LOG = LoggerFactory.getLogger(HttpConnection.class);

  private final Routes routes;
  private final Visitors visitors;
  private final Executor answering;
  private final HttpDoor.Limits limits;
  private Future<?> timeout;
  private boolean asked;
  private boolean withoutBody;

  HttpConnection(Routes routes, Visitors visitors, Executor answering, HttpDoor.Limits limits) {
    this.routes = routes;
    this.visitors = visitors;
    this.answering = answering;
    this.limits = limits;
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    closeAfter(context, limits.request().toMillis());
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
    context.fireChannelInactive();
  }

  /** What comes behind the head, or behind the first question, is read and thrown away. */
  @Override
  protected void channelRead0(ChannelHandlerContext context, HttpObject read) {
    if (asked || !(read instanceof HttpRequest question)) {
      return;
    }
    asked = true;
    closeAfter(context, limits.response().toMillis());
    withoutBody = question.method().equals(HttpMethod.HEAD);
    if (question.decoderResult().isFailure()) {
      send(context, Response.text(400, "the request cannot be read"));
    } else if (!visitors.namesThisHost(question.headers().getAll(HttpHeaderNames.HOST))) {
      send(context, Response.text(421, "the Host of the request is not this one"));
    } else if (!withoutBody && !question.method().equals(HttpMethod.GET)) {
      send(context, Response.text(405, "only GET and HEAD"));
    } else {
      route(context, question);
    }
  }

  private void route(ChannelHandlerContext context, HttpRequest question) {
    String path;
    try {
      path = new QueryStringDecoder(question.uri()).path();
    } catch (IllegalArgumentException e) {
      send(context, Response.text(400, "the path cannot be read"));
      return;
    }
    Routes.Route route = routes.at(path);
    boolean trusted = visitors.trusts(question.headers().get(HttpHeaderNames.AUTHORIZATION));
    if (route == null) {
      send(context, Response.text(404, "nothing is here"));
    } else if (!trusted && !route.open()) {
      send(context, Response.text(401, "Authorization: Bearer with the collector's token"));
    } else {
      answer(context, route.page(), new Request(path, trusted));
    }
  }

  private void answer(ChannelHandlerContext context, Page page, Request request) {
    try {
      answering.execute(
          () -> {
            Response response = answerOf(page, request);
            context.executor().execute(() -> send(context, response));
          });
    } catch (RejectedExecutionException e) {
      send(context, Response.text(503, "too many questions wait"));
    }
  }

  private static Response answerOf(Page page, Request request) {
    try {
      return page.answer(request);
    } catch (Exception | Error e) {
      LOG.error("{} could not be answered", request.path(), e);
      return Response.text(500, "the collector's log says what went wrong");
    }
  }

  private void send(ChannelHandlerContext context, Response response) {
    DefaultFullHttpResponse message =
        new DefaultFullHttpResponse(
            HttpVersion.HTTP_1_1,
            HttpResponseStatus.valueOf(response.status()),
            withoutBody ? Unpooled.EMPTY_BUFFER : Unpooled.wrappedBuffer(response.body()));
    HttpHeaders headers = message.headers();
    headers
        .set(HttpHeaderNames.CONTENT_TYPE, response.contentType())
        .set(HttpHeaderNames.CONTENT_LENGTH, response.body().length)
        .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE)
        .set(HttpHeaderNames.CACHE_CONTROL, HttpHeaderValues.NO_STORE)
        .set(HttpHeaderNames.CONTENT_SECURITY_POLICY, "default-src 'none'; frame-ancestors 'none'")
        .set("X-Content-Type-Options", "nosniff")
        .set("Referrer-Policy", "no-referrer")
        .set("Cross-Origin-Resource-Policy", "same-origin");
    if (response.status() == 405) {
      headers.set(HttpHeaderNames.ALLOW, "GET, HEAD");
    } else if (response.status() == 401) {
      headers.set(HttpHeaderNames.WWW_AUTHENTICATE, "Bearer");
    }
    context.writeAndFlush(message).addListener(ChannelFutureListener.CLOSE);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable failure) {
    Throwable cause =
        failure instanceof DecoderException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    if (cause instanceof IOException
        || cause instanceof SSLException
        || cause instanceof TlsGate.PlainConnectionException) {
      // Whoever likes can bring these about.
      LOG.debug("HTTP, {}: {}", context.channel().remoteAddress(), cause.getMessage());
    } else {
      LOG.warn("HTTP, {}: closed", context.channel().remoteAddress(), cause);
    }
    context.close();
  }
}
