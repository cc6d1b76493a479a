package org.fedometer.driver.fedora;

import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.fedometer.datasets.ComposedObject;
import org.fedometer.datasets.ContentStream;
import org.fedometer.driver.fedora.ScriptedFedora.Exchange;

/**
 * Operations of a {@link ScriptedFedora} other than ingests, with the observed behaviour of Fedora
 * 3.8.1: datastream changes, purges, searches, the resource index and OAI-PMH. A test can intercept
 * any of them.
 */
public final class ScriptedOperations implements ScriptedFedora.Interceptor {

  private final ScriptedFedora fedora;
  private final Map<String, byte[]> changed = new ConcurrentHashMap<>();
  private final Map<String, AtomicInteger> asked = new ConcurrentHashMap<>();

  /** {@code METHOD PATH} of every request, in order of arrival. */
  public final List<String> requests = new CopyOnWriteArrayList<>();

  /** A test's handler; returns true if it has served the request. Requests are numbered. */
  public volatile Fault fault = (exchange, number) -> false;

  @FunctionalInterface
  public interface Fault {
    boolean serves(Exchange exchange, int number) throws IOException;
  }

  public ScriptedOperations(ScriptedFedora fedora) {
    this.fedora = fedora;
    fedora.interceptor = this;
  }

  @Override
  public boolean serves(Exchange exchange) throws IOException {
    String request = exchange.method + ' ' + exchange.path;
    requests.add(request);
    int number = asked.computeIfAbsent(request, r -> new AtomicInteger()).incrementAndGet();
    return fault.serves(exchange, number) || change(exchange) || read(exchange);
  }

  public long count(String start) {
    return requests.stream().filter(request -> request.startsWith(start)).count();
  }

  /** Does what a request that changes something asks for, and answers. */
  boolean change(Exchange exchange) throws IOException {
    if (exchange.method.equals("DELETE")) {
      boolean there = purge(exchange);
      exchange.answer(
          there ? 200 : 404, there ? "2026-01-01T00:00:00.000Z" : notStored(exchange.pid()));
      return true;
    }
    if (exchange.path.contains("/datastreams/") && !exchange.method.equals("GET")) {
      boolean there = store(exchange);
      exchange.answer(
          there ? exchange.method.equals("PUT") ? 200 : 201 : 404,
          there ? "<profile/>" : notStored(exchange.pid()));
      return true;
    }
    return false;
  }

  private static String notStored(String pid) {
    return "Object not found in low-level storage: " + pid;
  }

  public boolean purge(Exchange exchange) {
    return fedora.remove(exchange.pid());
  }

  public boolean store(Exchange exchange) throws IOException {
    byte[] body = exchange.readSizedBody();
    if (!fedora.has(exchange.pid())) {
      return false;
    }
    changed.put(exchange.pid() + ' ' + datastream(exchange.path), body);
    return true;
  }

  /** Something else than what was sent, or nothing. */
  public void replace(String pid, String datastream, String content) {
    changed.put(pid + ' ' + datastream, content.getBytes(StandardCharsets.UTF_8));
  }

  /** A datastream that was added is gone. */
  public void lose(String pid, String datastream) {
    changed.remove(pid + ' ' + datastream);
  }

  private static String datastream(String path) {
    return path.replaceAll(".*/datastreams/([^/?]*).*", "$1");
  }

  private boolean read(Exchange exchange) throws IOException {
    String path = exchange.path;
    if (!exchange.method.equals("GET")) {
      return false;
    }
    if (path.startsWith("/risearch")) {
      String subject = URLDecoder.decode(path, StandardCharsets.UTF_8);
      exchange.answer(
          200,
          subject.contains("format=N-Triples")
              ? ScriptedFedora.lines("any", of(subject))
              : Long.toString(subject.contains("* * *") ? triples() : of(subject)));
      return true;
    }
    if (path.startsWith("/objects?")) {
      StringBuilder xml = new StringBuilder("<result><resultList>");
      new TreeSet<>(fedora.pids())
          .forEach(pid -> xml.append("<objectFields><pid>" + pid + "</pid></objectFields>"));
      exchange.answer(200, "text/xml", xml + "</resultList></result>", Map.of());
      return true;
    }
    if (path.startsWith("/oai")) {
      exchange.answer(
          200,
          "text/xml",
          "<OAI-PMH><Identify><description><oai-identifier><repositoryIdentifier>example.org"
              + "</repositoryIdentifier></oai-identifier></description></Identify></OAI-PMH>",
          Map.of());
      return true;
    }
    if (!path.startsWith("/objects/") || !fedora.has(exchange.pid())) {
      return false;
    }
    if (path.endsWith("/content")) {
      byte[] content = changed.get(exchange.pid() + ' ' + datastream(path));
      if (content != null) {
        exchange.answer(200, new String(content, StandardCharsets.UTF_8));
      }
      return content != null;
    }
    if (path.endsWith("/datastreams?format=xml")) {
      TreeSet<String> ids = new TreeSet<>(fedora.object(exchange.pid()).datastreamIds());
      changed.keySet().stream()
          .filter(key -> key.startsWith(exchange.pid() + ' '))
          .forEach(key -> ids.add(key.substring(key.indexOf(' ') + 1)));
      StringBuilder xml = new StringBuilder("<objectDatastreams>");
      ids.forEach(id -> xml.append("<datastream dsid=\"" + id + "\"/>"));
      exchange.answer(200, "text/xml", xml + "</objectDatastreams>", Map.of());
      return true;
    }
    return false;
  }

  private long triples() {
    return fedora.pids().stream().mapToLong(this::triplesOf).sum();
  }

  private long triplesOf(String pid) {
    long triples = fedora.object(pid).triples();
    for (String key : changed.keySet()) {
      String id = key.substring(key.indexOf(' ') + 1);
      if (key.startsWith(pid + ' ') && isNew((ComposedObject) fedora.object(pid), id)) {
        triples += 6;
      }
    }
    return triples;
  }

  private static boolean isNew(ComposedObject object, String id) {
    return !id.equals("DC")
        && object.content().stream().map(ContentStream::id).noneMatch(id::equals);
  }

  /** Counts all triples of an object as if the object were their subject. */
  private long of(String subject) {
    return fedora.pids().stream()
        .filter(pid -> subject.contains("/" + pid + ">"))
        .mapToLong(this::triplesOf)
        .sum();
  }
}
