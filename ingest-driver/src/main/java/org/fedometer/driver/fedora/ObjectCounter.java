package org.fedometer.driver.fedora;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.regex.Pattern;

/**
 * Counts the objects of one PID namespace by Fedora's field search. Not thread-safe.
 *
 * <p>Fedora returns pages of at most 100 (its setting {@code maxResults}) and reads every object's
 * FOXML, which lasts about a tenth of the ingest. Between pages it holds the result set and a
 * database connection for up to 500 s, until the last page is fetched. If the search has expired,
 * Fedora answers 500 and the count restarts.
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
   * @param namespace part of the PIDs before the colon
   * @param counted gets the number so far after every page
   */
  public long count(String namespace, LongConsumer counted) throws IOException {
    return walk(namespace, pid -> {}, counted);
  }

  /**
   * Visits the objects page by page. A restarted search repeats PIDs.
   *
   * @param found gets every PID
   * @param counted gets the number so far after every page
   * @throws IOException if Fedora fails; one row of its field index for a missing object fails the
   *     whole search
   */
  public long walk(String namespace, Consumer<String> found, LongConsumer counted)
      throws IOException {
    if (!NAMESPACE.matcher(namespace).matches()) {
      throw new IllegalArgumentException("'" + namespace + "' is not a PID namespace.");
    }
    for (int attempt = 1; ; attempt++) {
      try {
        return walkOnce(namespace, found, counted);
      } catch (FedoraUnreachableException | LoginRefusedException e) {
        throw e;
      } catch (IOException e) {
        // A search that meets a missing object leaks one of Fedora's database connections: retry
        // only once, in case of a concurrent purge.
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
            "Could not count objects: Fedora's search announces another page after an empty one.");
      }
      path = FedoraPaths.search(PAGE) + "&sessionToken=" + FedoraPaths.encode(page.token);
    }
  }

  private static final class Page {
    private final List<String> pids = new ArrayList<>();
    private String token = "";

    /** Including those of other namespaces. */
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
                    // the database may ignore case
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
