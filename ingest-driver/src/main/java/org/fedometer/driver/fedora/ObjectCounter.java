package org.fedometer.driver.fedora;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.regex.Pattern;

/**
 * Counts the objects of one PID namespace that Fedora's field search finds. For one thread.
 *
 * <p>Fedora hands them out in pages of at most 100 (its setting {@code maxResults}) and reads every
 * object's FOXML for that, so this takes about as long as a tenth of the ingest. Between two pages
 * Fedora holds the result set and a database connection for up to 500 s; the session ends when the
 * last page is fetched. Where it has expired, Fedora answers 500 and the count starts again.
 */
public final class ObjectCounter {

  private static final Pattern NAMESPACE = Pattern.compile("[A-Za-z0-9.-]+");
  private static final int PAGE = 1000;
  private static final int ATTEMPTS = 3;

  private final FedoraSession session;

  public ObjectCounter(FedoraSession session) {
    this.session = Objects.requireNonNull(session, "session");
  }

  /**
   * @param namespace the part of the PIDs before the colon
   * @param counted hears of the number so far after every page
   */
  public long count(String namespace, LongConsumer counted) throws IOException {
    return walk(namespace, pid -> {}, counted);
  }

  /**
   * Goes through the objects page by page. Where a search expired and was begun again, PIDs come
   * twice.
   *
   * @param found hears of every PID
   * @param counted hears of the number so far after every page
   * @throws IOException if Fedora does not tell; it fails for all where one row of its field index
   *     is about an object that is not there
   */
  public long walk(String namespace, Consumer<String> found, LongConsumer counted)
      throws IOException {
    if (!NAMESPACE.matcher(namespace).matches()) {
      throw new IllegalArgumentException("'" + namespace + "' is no PID namespace.");
    }
    for (int attempt = 1; ; attempt++) {
      try {
        return walkOnce(namespace, found, counted);
      } catch (FedoraUnreachableException | LoginRefusedException e) {
        throw e;
      } catch (IOException e) {
        // A search that meets an object that is not there leaves Fedora a database connection less:
        // once more, in case somebody purged it just then, and no more.
        boolean notThere = e instanceof FedoraRefusalException refusal && refusal.status() == 404;
        if (attempt == (notThere ? 2 : ATTEMPTS)) {
          throw e;
        }
      }
    }
  }

  private long walkOnce(String namespace, Consumer<String> found, LongConsumer counted)
      throws IOException {
    String prefix = namespace + ":";
    long count = 0;
    String path = FedoraPaths.search(PAGE) + "&query=" + FedoraPaths.encode("pid~" + prefix + "*");
    while (true) {
      Page page = page(path, prefix);
      count += page.pids.size();
      page.pids.forEach(found);
      counted.accept(count);
      if (page.token.isEmpty()) {
        return count;
      }
      if (page.objects == 0) {
        throw new IOException(
            "Could not count objects: Fedora's search names another page after one without any.");
      }
      path = FedoraPaths.search(PAGE) + "&sessionToken=" + FedoraPaths.encode(page.token);
    }
  }

  private static final class Page {
    private final List<String> pids = new ArrayList<>();
    private String token = "";

    /** Strangers among them, too. */
    private int objects;
  }

  private Page page(String path, String prefix) throws IOException {
    return session.search(
        path,
        "Could not count objects",
        in -> {
          Page page = new Page();
          FedoraXml.forEachElement(
              in,
              element -> {
                switch (element.name()) {
                  case "token" -> page.token = element.text();
                  case "pid" -> {
                    page.objects++;
                    // the database may compare without regard to case
                    String pid = element.text();
                    if (pid.startsWith(prefix)) {
                      page.pids.add(pid);
                    }
                  }
                  default -> {}
                }
              });
          return page;
        });
  }
}
