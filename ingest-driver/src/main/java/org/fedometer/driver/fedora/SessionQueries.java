package org.fedometer.driver.fedora;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.hc.client5.http.classic.methods.HttpGet;

/**
 * Asks what a session wants to know, which changes nothing: an answer is read, a 404 that is
 * believed is none, and where the connection breaks Fedora is asked once more. For the session's
 * thread.
 */
final class SessionQueries {

  private final SessionExchange exchange;

  SessionQueries(SessionExchange exchange) {
    this.exchange = exchange;
  }

  /** Gets something; 200 is read, 404 is empty, all else thrown. */
  <T> Optional<T> fetch(
      HttpGet request, Duration limit, String whatFailed, FedoraSession.ResponseReader<T> reader)
      throws IOException {
    return fetch(request, limit, whatFailed, reader, none -> true);
  }

  /** Gets something; 200 is read, a 404 that is believed is empty, all else thrown. */
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

  /** Gets something that must be there; 200 is read, all else thrown. */
  <T> T require(
      HttpGet request, Duration limit, String whatFailed, FedoraSession.ResponseReader<T> reader)
      throws IOException {
    return fetch(request, limit, whatFailed, reader, none -> false).orElseThrow();
  }

  /** A question may be asked twice: a connection that Fedora closed just now is no answer. */
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
