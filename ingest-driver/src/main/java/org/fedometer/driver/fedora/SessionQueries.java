package org.fedometer.driver.fedora;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.hc.client5.http.classic.methods.HttpGet;

/**
 * Sends a session's read-only queries. Returns empty for a trusted 404, and retries once if the
 * connection breaks. For the session's thread.
 */
final class SessionQueries {

  private final SessionExchange exchange;

  SessionQueries(SessionExchange exchange) {
    this.exchange = exchange;
  }

  /** Fetches; reads 200, returns empty for 404, throws otherwise. */
  <T> Optional<T> fetch(
      HttpGet request, Duration limit, String whatFailed, FedoraSession.ResponseReader<T> reader)
      throws IOException {
    return fetch(request, limit, whatFailed, reader, none -> true);
  }

  /** Fetches; reads 200, returns empty for a trusted 404, throws otherwise. */
  <T> Optional<T> fetch(
      HttpGet request,
      Duration limit,
      String whatFailed,
      FedoraSession.ResponseReader<T> reader,
      Predicate<FedoraResponse> believed)
      throws IOException {
    return send(
        request,
        limit,
        whatFailed,
        response -> {
          if (response.getCode() == 200 && response.getEntity() != null) {
            return Optional.of(reader.read(response.getEntity().getContent()));
          }
          FedoraResponse fedoraResponse = SessionExchange.toResponse(response);
          if (fedoraResponse.status() == 404 && believed.test(fedoraResponse)) {
            return Optional.empty();
          }
          throw new FedoraRefusalException(whatFailed, fedoraResponse);
        });
  }

  /** Fetches; reads 200, throws otherwise. */
  <T> T require(
      HttpGet request, Duration limit, String whatFailed, FedoraSession.ResponseReader<T> reader)
      throws IOException {
    return fetch(request, limit, whatFailed, reader, none -> false).orElseThrow();
  }

  /** Sends a query, with one retry since Fedora may have closed the connection just now. */
  <T> T send(HttpGet request, Duration limit, String whatFailed, SessionExchange.Handler<T> handler)
      throws IOException {
    for (int attempt = 1; ; attempt++) {
      try {
        return exchange.send(request, limit, handler);
      } catch (FedoraRefusalException | FedoraUnreachableException e) {
        throw e;
      } catch (IOException e) {
        if (attempt == 2 || e instanceof SocketTimeoutException || request.isCancelled()) {
          throw new IOException(whatFailed + ": " + Messages.of(e), e);
        }
      }
    }
  }
}
