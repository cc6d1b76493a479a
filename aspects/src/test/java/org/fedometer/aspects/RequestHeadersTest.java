package org.fedometer.aspects;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RequestHeadersTest {

  private static final String TRACEPARENT =
      "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

  /** Shaped like Tomcat's. */
  public static class Request {
    public String getHeader(String name) {
      return name.equals("traceparent") ? TRACEPARENT : null;
    }

    public String getMethod() {
      return "PUT";
    }
  }

  /** A façade that some valve may put in front. */
  public static final class WrappedRequest extends Request {}

  /** Broken on purpose. */
  public static final class FailingRequest {
    public String getHeader(String name) {
      throw new IllegalStateException(name);
    }

    public String getMethod() {
      throw new IllegalStateException();
    }
  }

  @Test
  void readsHeaderAndMethodOfARequestClassItHasNeverSeen() {
    assertThat(RequestHeaders.traceparentOf(new Request())).isEqualTo(TRACEPARENT);
    assertThat(RequestHeaders.traceparentOf(new WrappedRequest())).isEqualTo(TRACEPARENT);
    assertThat(RequestHeaders.methodOf(new Request())).isEqualTo("PUT");
    assertThat(RequestHeaders.methodOf(new WrappedRequest())).isEqualTo("PUT");
  }

  @Test
  void readsNothingWhereThereIsNothingToReadAndThrowsNothing() {
    assertThat(RequestHeaders.traceparentOf(null)).isNull();
    assertThat(RequestHeaders.traceparentOf("not a request")).isNull();
    assertThat(RequestHeaders.traceparentOf(new FailingRequest())).isNull();
    assertThat(RequestHeaders.methodOf(null)).isNull();
    assertThat(RequestHeaders.methodOf("not a request")).isNull();
    assertThat(RequestHeaders.methodOf(new FailingRequest())).isNull();
  }

  /** Shaped like Tomcat's. */
  public static class Response {
    private final int status;

    Response(int status) {
      this.status = status;
    }

    public int getStatus() {
      if (status == 0) {
        throw new IllegalStateException();
      }
      return status;
    }
  }

  @Test
  void anAnswerFrom500OnIsAFailureOfTheServer() {
    assertThat(RequestHeaders.isServerError(new Response(500))).isTrue();
    assertThat(RequestHeaders.isServerError(new Response(503))).isTrue();
    assertThat(RequestHeaders.isServerError(new Response(404))).isFalse();
    assertThat(RequestHeaders.isServerError(new Response(200))).isFalse();
  }

  @Test
  void anAnswerThatCannotBeReadIsNone() {
    assertThat(RequestHeaders.isServerError(new Response(0))).isFalse();
    assertThat(RequestHeaders.isServerError("no response")).isFalse();
    assertThat(RequestHeaders.isServerError(null)).isFalse();
  }
}
