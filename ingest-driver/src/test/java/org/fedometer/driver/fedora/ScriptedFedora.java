package org.fedometer.driver.fedora;

import static org.awaitility.Awaitility.await;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.fedometer.datasets.ComposedObject;
import org.fedometer.datasets.ContentStream;
import org.fedometer.datasets.Dataset;
import org.fedometer.datasets.RepositoryObject;
import org.fedometer.wire.TestDelay;

/**
 * A server on a raw socket with the observed responses of Fedora 3.8.1, unless a test scripts its
 * ingests. It can do what no real Fedora does on demand: cut a connection at a given byte, answer
 * garbage, never answer.
 */
public final class ScriptedFedora implements AutoCloseable {

  /** Handles an ingest request. */
  @FunctionalInterface
  public interface Script {
    void serve(Exchange exchange) throws IOException;
  }

  /** Stores the object and confirms it. */
  public static final Script INGEST =
      exchange -> {
        String foxml = exchange.readBody();
        if (exchange.fedora.stored.containsKey(exchange.pid())
            || exchange.fedora.namesLostUpload(foxml)) {
          exchange.answer(500, "");
        } else {
          exchange.store();
          if (!foxml.contains("CONTROL_GROUP=\"M\"")) {
            exchange.fedora.versions.put(exchange.pid(), new ConcurrentHashMap<>());
          }
          exchange.answer(201, exchange.pid());
        }
      };

  /** Accepts an upload and names it. */
  public static final Script UPLOAD =
      exchange -> {
        exchange.readBody();
        String name = "uploaded://" + exchange.fedora.names.incrementAndGet();
        exchange.fedora.uploaded.add(name);
        exchange.answer(201, name + "\n");
      };

  /** Adds a datastream, or a version of one that is there. */
  public static final Script ADD_DATASTREAM =
      exchange -> {
        exchange.readBody();
        Map<String, Integer> versions = exchange.fedora.versions.get(exchange.pid());
        String path = URLDecoder.decode(exchange.path, StandardCharsets.UTF_8);
        if (versions == null || exchange.fedora.namesLostUpload(path)) {
          exchange.answer(500, "");
        } else {
          exchange.addDatastream();
          exchange.answer(201, "<datastreamProfile/>");
        }
      };

  /** Adds a statement to an object's RELS-EXT, if there is such an object. */
  public static final Script ADD =
      exchange -> {
        if (exchange.fedora.stored.containsKey(exchange.pid())) {
          boolean added = exchange.fedora.statements.add(exchange.statement());
          exchange.answer(200, Boolean.toString(added));
        } else {
          exchange.answer(404, "no path in db registry for [" + exchange.pid() + "]");
        }
      };

  private final Dataset dataset;
  private final Map<String, RepositoryObject> stored = new ConcurrentHashMap<>();
  private final Map<String, Instant> storedAt = new ConcurrentHashMap<>();

  /** Creation times of objects that were changed since. */
  private final Map<String, Instant> createdAt = new ConcurrentHashMap<>();

  private final Map<String, AtomicInteger> attempts = new ConcurrentHashMap<>();
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final AtomicInteger sessions = new AtomicInteger();
  private final AtomicInteger loginsUnderWay = new AtomicInteger();
  private final CountDownLatch closing = new CountDownLatch(1);
  private ServerSocket server;
  private volatile int firstKnownSession = 1;

  /**
   * Latest versions of the datastreams of objects that were made without, by PID and identifier.
   */
  private final Map<String, Map<String, Integer>> versions = new ConcurrentHashMap<>();

  private final AtomicInteger names = new AtomicInteger();

  /** Uploads that are still there. */
  public final Set<String> uploaded = ConcurrentHashMap.newKeySet();

  /** Heads of all requests that upload, in order of arrival. */
  public final List<Exchange> uploads = new CopyOnWriteArrayList<>();

  /** Heads of all requests that add a datastream, in order of arrival. */
  public final List<Exchange> datastreams = new CopyOnWriteArrayList<>();

  /** Handles an upload; uploads are numbered from one. */
  public volatile Choice uploadScript = (none, upload) -> UPLOAD;

  /** Handles a new datastream, {@code PID/ID}; attempts are numbered from one. */
  public volatile Choice datastreamScript = (datastream, attempt) -> ADD_DATASTREAM;

  /** Statements that were added: {@code PID OBJECT}. */
  public final Set<String> statements = ConcurrentHashMap.newKeySet();

  /** Heads of all requests that add a statement, in order of arrival. */
  public final List<Exchange> additions = new CopyOnWriteArrayList<>();

  /** Handles the addition of a statement; attempts are numbered from one. */
  public volatile Choice additionScript = (statement, attempt) -> ADD;

  /** Heads of all requests that ingest, in order of arrival. */
  public final List<Exchange> ingests = new CopyOnWriteArrayList<>();

  /** PIDs whose triples got lost. */
  public final Set<String> withoutTriples = ConcurrentHashMap.newKeySet();

  /** Purged objects whose triples are lost again if they are ingested before the next flush. */
  private final Set<String> deletedSinceFlush = ConcurrentHashMap.newKeySet();

  /** PIDs that the field search does not find. */
  public final Set<String> withoutFields = ConcurrentHashMap.newKeySet();

  /** PIDs that the field search finds and that are no objects. */
  public final Set<String> strayFields = ConcurrentHashMap.newKeySet();

  /** Objects of triples that got lost alone: those of statements that were added. */
  public final Set<String> lostObjects = ConcurrentHashMap.newKeySet();

  /** Lines of N-Triples that are there besides those of the objects. */
  public final List<String> strayTriples = new CopyOnWriteArrayList<>();

  /** PIDs that were purged, in order of arrival. */
  public final List<String> purged = new CopyOnWriteArrayList<>();

  /** Responses to purges. */
  public volatile Answers purgeAnswers = pid -> null;

  public final AtomicInteger flushes = new AtomicInteger();
  public final AtomicInteger logins = new AtomicInteger();
  public final AtomicInteger maxConcurrentLogins = new AtomicInteger();

  /** Handles the ingest of a PID; attempts are numbered from one. */
  public volatile Choice script = (pid, attempt) -> INGEST;

  /** Answers a GET below the web application, or returns null for the usual answer. */
  public volatile Answers answers = path -> null;

  /** Serves a request in the place of all else, or returns false for the usual answer. */
  public volatile Interceptor interceptor = exchange -> false;

  public volatile boolean acceptsLogin = true;

  @FunctionalInterface
  public interface Interceptor {
    boolean serves(Exchange exchange) throws IOException;
  }

  @FunctionalInterface
  public interface Choice {
    Script of(String pid, int attempt);
  }

  @FunctionalInterface
  public interface Answers {
    Reply to(String path);
  }

  public record Reply(int status, String type, String body) {}

  public ScriptedFedora(Dataset dataset) throws IOException {
    this.dataset = dataset;
    start(0);
  }

  public URI url() {
    return URI.create("http://127.0.0.1:" + server.getLocalPort() + "/fedora");
  }

  /** Has an object from before, as it should be. */
  public void has(long index, Instant since) {
    RepositoryObject object = dataset.object(index);
    stored.put(object.pid(), object);
    storedAt.put(object.pid(), since);
  }

  /** An object that it has is as old as that. */
  public void has(String pid, Instant since) {
    storedAt.put(pid, since);
  }

  /** An object that it has was changed now, and was made then. */
  public void changed(String pid, Instant created) {
    createdAt.put(pid, created);
    storedAt.put(pid, Instant.now());
  }

  /** As a restart between two requests does. */
  public void forgetSessions() {
    firstKnownSession = sessions.get() + 1;
  }

  private boolean knowsSession(String cookie) {
    return cookie.startsWith("JSESSIONID=")
        && Integer.parseInt(cookie.substring("JSESSIONID=".length()).replaceAll(";.*", ""))
            >= firstKnownSession;
  }

  public int objects() {
    return stored.size();
  }

  public boolean has(String pid) {
    return stored.containsKey(pid);
  }

  public RepositoryObject object(String pid) {
    return stored.get(pid);
  }

  Set<String> pids() {
    return Set.copyOf(stored.keySet());
  }

  /** Removes an object; returns whether it existed. */
  public boolean remove(String pid) {
    return stored.remove(pid) != null;
  }

  /** Puts something else in the place of what the dataset makes. */
  public void replace(RepositoryObject object) {
    stored.put(object.pid(), object);
    storedAt.put(object.pid(), Instant.now());
  }

  public int attempts(String pid) {
    AtomicInteger count = attempts.get(pid);
    return count == null ? 0 : count.get();
  }

  /** Connections are refused and those that exist are reset, as when the process is killed. */
  public void kill() {
    try {
      server.close();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    open.forEach(ScriptedFedora::reset);
  }

  /** Listens again on the same port, once it is free: any connection may use it for a while. */
  public void restart() {
    int port = server.getLocalPort();
    await()
        .atMost(Duration.ofSeconds(60))
        .pollDelay(Duration.ZERO)
        .ignoreExceptionsInstanceOf(BindException.class)
        .until(
            () -> {
              start(port);
              return true;
            });
  }

  private void start(int port) throws IOException {
    ServerSocket listening = new ServerSocket();
    listening.setReuseAddress(true);
    try {
      listening.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 50);
    } catch (BindException e) {
      listening.close();
      throw e;
    }
    server = listening;
    Thread acceptor = new Thread(() -> accept(listening), "scripted-fedora");
    acceptor.setDaemon(true);
    acceptor.start();
  }

  private void accept(ServerSocket listening) {
    while (!listening.isClosed()) {
      try {
        Socket socket = listening.accept();
        open.add(socket);
        if (listening.isClosed()) {
          // Accepted while it was killed.
          reset(socket);
        }
        Thread thread = new Thread(() -> serve(socket), "scripted-fedora-connection");
        thread.setDaemon(true);
        thread.start();
      } catch (IOException e) {
        return;
      }
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      socket.setTcpNoDelay(true);
      InputStream in = new BufferedInputStream(socket.getInputStream());
      while (true) {
        Exchange exchange = Exchange.read(this, socket, in);
        if (exchange == null) {
          return;
        }
        dispatch(exchange);
        if (exchange.over) {
          return;
        }
      }
    } catch (IOException e) {
      // the driver or the test cut the connection
    } finally {
      open.remove(socket);
    }
  }

  private void dispatch(Exchange exchange) throws IOException {
    String path = exchange.path;
    if (interceptor.serves(exchange)) {
      return;
    }
    if (exchange.method.equals("POST") && path.contains("/relationships/new?")) {
      additions.add(exchange);
      String statement = exchange.statement();
      int attempt =
          attempts.computeIfAbsent(statement, key -> new AtomicInteger()).incrementAndGet();
      additionScript.of(statement, attempt).serve(exchange);
      return;
    }
    if (exchange.method.equals("POST") && path.equals("/management/upload")) {
      uploads.add(exchange);
      uploadScript.of("", uploads.size()).serve(exchange);
      return;
    }
    if (exchange.method.equals("POST") && path.contains("/datastreams/")) {
      datastreams.add(exchange);
      String datastream = exchange.pid() + '/' + exchange.datastreamId();
      int attempt =
          attempts.computeIfAbsent(datastream, key -> new AtomicInteger()).incrementAndGet();
      datastreamScript.of(datastream, attempt).serve(exchange);
      return;
    }
    if (exchange.method.equals("POST")) {
      ingests.add(exchange);
      int attempt =
          attempts.computeIfAbsent(exchange.pid(), pid -> new AtomicInteger()).incrementAndGet();
      script.of(exchange.pid(), attempt).serve(exchange);
      return;
    }
    Reply reply = exchange.method.equals("DELETE") ? purge(exchange.pid()) : answers.to(path);
    if (reply == null) {
      reply =
          path.equals("/user") ? login() : path.startsWith("/risearch?") ? count(path) : read(path);
    }
    exchange.answer(reply.status, reply.type, reply.body, Map.of());
  }

  private Reply purge(String pid) {
    Reply reply = purgeAnswers.to(pid);
    if (reply != null) {
      return reply;
    }
    purged.add(pid);
    if (withoutTriples.contains(pid)) {
      deletedSinceFlush.add(pid);
    }
    withoutFields.remove(pid);
    return stored.remove(pid) == null
        ? new Reply(404, "text/plain", "Object not found in low-level storage: " + pid)
        : new Reply(200, "text/plain", Instant.now().toString());
  }

  /** Counts all triples of an object as if the object were their subject. */
  private Reply count(String path) {
    String query = URLDecoder.decode(path, StandardCharsets.UTF_8);
    boolean lines = query.contains("format=N-Triples");
    if (lines && query.contains("* * *")) {
      return new Reply(200, "text/plain", triples());
    }
    if (query.contains("flush=true")) {
      flushes.incrementAndGet();
      withoutTriples.removeAll(deletedSinceFlush);
      deletedSinceFlush.clear();
    }
    if (lostObjects.stream().anyMatch(object -> query.contains("> <" + object + ">"))) {
      return new Reply(200, "text/plain", "0");
    }
    String subject = query.replaceAll(".*query=<info:fedora/([^>]*)>.*", "$1");
    long triples = 0;
    for (RepositoryObject object : stored.values()) {
      if (!withoutTriples.contains(object.pid())
          && (subject.equals(query) || subject.equals(object.pid()))) {
        String added = object.pid() + ' ';
        triples += object.triples();
        triples += statements.stream().filter(text -> text.startsWith(added)).count();
      }
    }
    if (subject.equals(query)) {
      triples += strayTriples.size();
    }
    return new Reply(200, "text/plain", lines ? lines(subject, triples) : Long.toString(triples));
  }

  /** So many triples about one object, as N-Triples. */
  static String lines(String pid, long triples) {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < triples; i++) {
      lines.append("<info:fedora/" + pid + "> <info:p> \"" + i + "\" .\n");
    }
    return lines.toString();
  }

  private String triples() {
    StringBuilder lines = new StringBuilder();
    for (RepositoryObject object : stored.values()) {
      if (!withoutTriples.contains(object.pid())) {
        for (int i = 0; i < object.triples(); i++) {
          String part = i % 2 == 0 ? "" : "/FULLTEXT";
          lines.append("<info:fedora/" + object.pid() + part + "> <info:p> \"" + i + "\" .\n");
        }
      }
    }
    strayTriples.forEach(line -> lines.append(line).append('\n'));
    return lines.toString();
  }

  /** All in one page. */
  private Reply fieldSearch(String namespace) {
    StringBuilder xml = new StringBuilder("<result><resultList>");
    Set<String> found = new TreeSet<>(stored.keySet());
    found.removeAll(withoutFields);
    found.addAll(strayFields);
    for (String pid : found) {
      if (pid.startsWith(namespace)) {
        xml.append("<objectFields><pid>" + pid + "</pid></objectFields>");
      }
    }
    return new Reply(200, "text/xml", xml.append("</resultList></result>").toString());
  }

  private Reply login() {
    int atOnce = loginsUnderWay.incrementAndGet();
    maxConcurrentLogins.accumulateAndGet(atOnce, Math::max);
    logins.incrementAndGet();
    // Long enough for a login that does not wait to be noticed.
    TestDelay.sleep(Duration.ofMillis(1));
    loginsUnderWay.decrementAndGet();
    return acceptsLogin
        ? new Reply(200, "text/xml", "<user id=\"fedoraAdmin\"/>")
        : new Reply(401, "text/html", "Fedora: 401 ");
  }

  private Reply read(String path) {
    if (path.startsWith("/objects?pid=true&resultFormat=xml&maxResults=1&query=")) {
      String query = URLDecoder.decode(path, StandardCharsets.UTF_8);
      String wanted = query.substring(query.indexOf("query=pid=") + "query=pid=".length());
      return new Reply(
          200,
          "text/xml",
          stored.containsKey(wanted) && !withoutFields.contains(wanted)
              ? "<result><resultList><objectFields><pid>"
                  + wanted
                  + "</pid></objectFields></resultList></result>"
              : "<result><resultList/></result>");
    }
    if (path.startsWith("/objects?pid=true&resultFormat=xml&maxResults=1000&query=pid%7E")) {
      String query = URLDecoder.decode(path, StandardCharsets.UTF_8);
      return fieldSearch(query.replaceAll(".*pid~(.*)\\*", "$1"));
    }
    String[] parts = path.substring(1).split("[/?]");
    String pid = parts.length > 1 ? parts[1] : "";
    RepositoryObject object = stored.get(pid);
    if (!parts[0].equals("objects") || object == null) {
      return new Reply(404, "text/plain", "Object not found in low-level storage: " + pid);
    }
    if (parts.length == 5 && parts[2].equals("datastreams") && !has(object, parts[3])) {
      return noDatastream(pid, parts[3]);
    }
    if (parts.length == 5 && parts[4].equals("format=xml")) {
      int version = versions.getOrDefault(pid, Map.of()).getOrDefault(parts[3], 0);
      return new Reply(
          200,
          "text/xml",
          "<datastreamProfile><dsVersionID>%s.%d</dsVersionID></datastreamProfile>"
              .formatted(parts[3], version));
    }
    if (path.endsWith("/content")) {
      for (ContentStream content : object.content()) {
        if (content.id().equals(parts[3])) {
          try (InputStream in = content.open()) {
            return new Reply(
                200, content.mediaType(), new String(in.readAllBytes(), StandardCharsets.UTF_8));
          } catch (IOException e) {
            throw new IllegalStateException(e);
          }
        }
      }
      if (parts[3].equals("DC") || parts[3].equals("RELS-EXT")) {
        return new Reply(200, "text/xml", metadata((ComposedObject) object, parts[3]));
      }
      return noDatastream(pid, parts[3]);
    }
    if (path.contains("/datastreams")) {
      StringBuilder xml = new StringBuilder("<objectDatastreams>");
      object.content().stream()
          .map(ContentStream::id)
          .filter(id -> has(object, id))
          .forEach(id -> xml.append("<datastream dsid=\"" + id + "\"/>"));
      xml.append("<datastream dsid=\"DC\"/><datastream dsid=\"RELS-EXT\"/></objectDatastreams>");
      return new Reply(200, "text/xml", xml.toString());
    }
    return new Reply(
        200,
        "text/xml",
        "<objectProfile xmlns=\"http://www.fedora.info/definitions/1/0/access/\" pid=\""
            + pid
            + "\"><objLabel>"
            + object.label()
            + "</objLabel><objCreateDate>"
            + createdAt.getOrDefault(pid, storedAt.get(pid))
            + "</objCreateDate><objLastModDate>"
            + storedAt.get(pid)
            + "</objLastModDate></objectProfile>");
  }

  private static Reply noDatastream(String pid, String id) {
    return new Reply(
        404,
        "text/plain",
        "[DefaulAccess] No datastream could be returned. Either there is no datastream for the"
            + " digital object \"%s\" with datastream ID of \"%s \"".formatted(pid, id));
  }

  /** Returns whether an existing object has the datastream. */
  private boolean has(RepositoryObject object, String id) {
    Map<String, Integer> added = versions.get(object.pid());
    return added == null
        || added.containsKey(id)
        || object.content().stream().noneMatch(content -> content.id().equals(id));
  }

  private boolean namesLostUpload(String text) {
    Matcher name = Pattern.compile("uploaded://[0-9]+").matcher(text);
    boolean lost = false;
    while (name.find()) {
      lost |= !uploaded.contains(name.group());
    }
    return lost;
  }

  /** Latest version of a datastream that was added, 0 for the first, -1 for none. */
  public int version(String pid, String id) {
    return versions.getOrDefault(pid, Map.of()).getOrDefault(id, -1);
  }

  /** DC or RELS-EXT out of the FOXML, as a document, with what was added. */
  private String metadata(ComposedObject object, String id) {
    ByteArrayOutputStream foxml = new ByteArrayOutputStream();
    try {
      object.writeFoxml(foxml);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    String xml = foxml.toString(StandardCharsets.UTF_8);
    String head = "<foxml:xmlContent>\n";
    int start =
        xml.indexOf(head, xml.indexOf("<foxml:datastream ID=\"" + id + '"')) + head.length();
    String document = xml.substring(start, xml.indexOf("</foxml:xmlContent>", start));
    if (id.equals("DC")) {
      return document.replace(
          "</oai_dc:dc>", "<dc:identifier>" + object.pid() + "</dc:identifier></oai_dc:dc>");
    }
    StringBuilder added = new StringBuilder();
    for (String statement : statements) {
      if (statement.startsWith(object.pid() + ' ')) {
        added
            .append("<x:hasPart xmlns:x=\"info:example/\" rdf:resource=\"")
            .append(statement.substring(statement.indexOf(' ') + 1))
            .append("\"/>");
      }
    }
    return document.replace("</rdf:Description>", added + "</rdf:Description>");
  }

  private static void reset(Socket socket) {
    try {
      socket.setSoLinger(true, 0);
      socket.close();
    } catch (IOException e) {
      // gone already
    }
  }

  @Override
  public void close() {
    closing.countDown();
    kill();
  }

  /** One request under way. */
  public static final class Exchange {

    private final ScriptedFedora fedora;
    private final Socket socket;
    private final InputStream in;
    private boolean over;
    public final String method;
    public final String path;
    public final Map<String, String> headers;

    private Exchange(
        ScriptedFedora fedora,
        Socket socket,
        InputStream in,
        String method,
        String path,
        Map<String, String> headers) {
      this.fedora = fedora;
      this.socket = socket;
      this.in = in;
      this.method = method;
      this.path = path;
      this.headers = headers;
    }

    private static Exchange read(ScriptedFedora fedora, Socket socket, InputStream in)
        throws IOException {
      String line = line(in);
      if (line.isEmpty()) {
        return null;
      }
      String[] request = line.split(" ");
      if (request.length < 3) {
        throw new EOFException("the connection was cut in the midst of " + line);
      }
      Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
      for (String header = line(in); !header.isEmpty(); header = line(in)) {
        int colon = header.indexOf(':');
        if (colon < 0) {
          throw new EOFException("the connection was cut in the midst of " + header);
        }
        headers.put(header.substring(0, colon), header.substring(colon + 1).strip());
      }
      String path = request[1].substring("/fedora".length());
      return new Exchange(fedora, socket, in, request[0], path, headers);
    }

    public String pid() {
      return path.substring("/objects/".length()).replaceAll("[/?].*", "");
    }

    /** {@code PID OBJECT} of a statement that is to be added. */
    String statement() {
      String object = path.replaceAll(".*[&?]object=([^&]*).*", "$1");
      return pid() + ' ' + URLDecoder.decode(object, StandardCharsets.UTF_8);
    }

    String datastreamId() {
      return path.replaceAll(".*/datastreams/", "").replaceAll("[/?].*", "");
    }

    /** As Fedora does: one that is there gets another version. */
    public void addDatastream() {
      fedora.versions.get(pid()).merge(datastreamId(), 0, (version, none) -> version + 1);
    }

    /** Reads the body to its end, if there is one. */
    public String readBody() throws IOException {
      String length = headers.get("Content-Length");
      if (length != null) {
        return new String(in.readNBytes(Integer.parseInt(length)), StandardCharsets.UTF_8);
      }
      if (!headers.containsKey("Transfer-Encoding")) {
        return "";
      }
      ByteArrayOutputStream body = new ByteArrayOutputStream();
      while (true) {
        int size = Integer.parseInt(line(in), 16);
        byte[] chunk = in.readNBytes(size);
        if (chunk.length < size) {
          throw new EOFException();
        }
        body.write(chunk);
        line(in);
        if (size == 0) {
          return body.toString(StandardCharsets.UTF_8);
        }
      }
    }

    /** Reads a body whose length is in the head. */
    public byte[] readSizedBody() throws IOException {
      return in.readNBytes(Integer.parseInt(headers.getOrDefault("Content-Length", "0")));
    }

    /** Reads so many bytes of the body and no more. */
    public void readSome(int bytes) throws IOException {
      in.readNBytes(bytes);
    }

    public void store() {
      long index = Long.parseLong(pid().substring(pid().indexOf(':') + 1));
      fedora.has(index, Instant.now());
    }

    public void answer(int status, String body) throws IOException {
      answer(status, "text/plain", body, Map.of());
    }

    public void answer(int status, String type, String body, Map<String, String> more)
        throws IOException {
      byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
      StringBuilder head = new StringBuilder("HTTP/1.1 " + status + " Reason\r\n");
      head.append("Date: ")
          .append(
              DateTimeFormatter.RFC_1123_DATE_TIME.format(Instant.now().atOffset(ZoneOffset.UTC)))
          .append("\r\nContent-Type: ")
          .append(type)
          .append("\r\nContent-Length: ")
          .append(bytes.length)
          .append("\r\n");
      if (!fedora.knowsSession(headers.getOrDefault("Cookie", ""))) {
        head.append(
            String.format(
                Locale.ROOT,
                "Set-Cookie: JSESSIONID=%d; Path=/fedora/; HttpOnly\r\n",
                fedora.sessions.incrementAndGet()));
      }
      more.forEach((name, value) -> head.append(name + ": " + value + "\r\n"));
      raw(head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1));
      raw(bytes);
    }

    public void raw(byte[] bytes) throws IOException {
      OutputStream out = socket.getOutputStream();
      out.write(bytes);
      out.flush();
    }

    /** Ends the connection in the orderly way. */
    public void end() {
      over = true;
    }

    /** Cuts the connection with a reset. */
    public void reset() {
      over = true;
      ScriptedFedora.reset(socket);
    }

    /** Never answers while the server lives. */
    public void hang() throws IOException {
      try {
        fedora.closing.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      over = true;
    }

    private static String line(InputStream in) throws IOException {
      StringBuilder line = new StringBuilder();
      for (int c = in.read(); c >= 0 && c != '\n'; c = in.read()) {
        if (c != '\r') {
          line.append((char) c);
        }
      }
      return line.toString();
    }
  }
}
