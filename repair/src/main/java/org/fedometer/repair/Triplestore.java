package org.fedometer.repair;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The triplestore, opened as Fedora opens it: no other process may have it open. Not thread-safe.
 */
final class Triplestore implements AutoCloseable {

  private static final String CONNECTOR = "org.trippi.TriplestoreConnector";
  private static final String WRITER = "org.trippi.TriplestoreWriter";
  private static final String ITERATOR = "org.trippi.TripleIterator";
  private static final String TRIPLE = "org.jrdf.graph.Triple";

  private final Object connector;
  private final Object writer;
  private final Method find;
  private final Method hasNext;
  private final Method next;
  private final Method closeIterator;
  private final Method subject;
  private final Method predicate;
  private final Method object;
  private final Method text;
  private final Method createResource;
  private final Method add;
  private final Method delete;

  /** Cause of a failed write, reported by a thread of Trippi; null while all succeeded. */
  private volatile Throwable flushError;

  interface Visitor {
    void statement(Statement statement);
  }

  private Triplestore(Object connector) throws Library.FailureException {
    this.connector = connector;
    // The writer would also open it, but hide the reason for a failure.
    Library.call(Library.method(CONNECTOR, "open"), connector);
    writer = Library.call(Library.method(CONNECTOR, "getWriter"), connector);
    registerFlushErrorHandler();
    find =
        Library.method(
            "org.trippi.TriplestoreReader",
            "findTriples",
            Library.type("org.jrdf.graph.SubjectNode"),
            Library.type("org.jrdf.graph.PredicateNode"),
            Library.type("org.jrdf.graph.ObjectNode"),
            int.class);
    hasNext = Library.method(ITERATOR, "hasNext");
    next = Library.method(ITERATOR, "next");
    closeIterator = Library.method(ITERATOR, "close");
    subject = Library.method(TRIPLE, "getSubject");
    predicate = Library.method(TRIPLE, "getPredicate");
    object = Library.method(TRIPLE, "getObject");
    text = Library.method("org.trippi.RDFUtil", "toString", Library.type("org.jrdf.graph.Node"));
    createResource =
        Library.method("org.jrdf.graph.GraphElementFactory", "createResource", URI.class);
    add = Library.method(WRITER, "add", List.class, boolean.class);
    delete = Library.method(WRITER, "delete", List.class, boolean.class);
  }

  /**
   * @param className the class of Trippi's connector
   * @param configuration the parameters of Fedora's datastore
   */
  static Triplestore open(String className, Map<String, String> configuration)
      throws Library.FailureException {
    Object connector =
        Library.call(
            Library.method(CONNECTOR, "init", String.class, Map.class),
            null,
            className,
            configuration);
    return new Triplestore(connector);
  }

  Object connector() {
    return connector;
  }

  Object elementFactory() throws Library.FailureException {
    return Library.call(Library.method(CONNECTOR, "getElementFactory"), connector);
  }

  void each(Visitor visitor) throws Library.FailureException {
    each(null, visitor);
  }

  private void each(Object subjectNode, Visitor visitor) throws Library.FailureException {
    Object iterator = Library.call(find, writer, subjectNode, null, null, 0);
    try {
      while ((Boolean) Library.call(hasNext, iterator)) {
        visitor.statement(statement(Library.call(next, iterator)));
      }
    } finally {
      Library.call(closeIterator, iterator);
    }
  }

  /**
   * Returns all triples of a subject, including duplicates.
   *
   * @param uri the subject in angle brackets
   */
  List<Statement> of(String uri) throws Library.FailureException {
    List<Statement> found = new ArrayList<>();
    Object node =
        Library.call(
            createResource, elementFactory(), URI.create(uri.substring(1, uri.length() - 1)));
    each(node, found::add);
    return found;
  }

  Statement statement(Object triple) throws Library.FailureException {
    return new Statement(
        triple,
        text(Library.call(subject, triple)),
        text(Library.call(predicate, triple)),
        text(Library.call(object, triple)));
  }

  private String text(Object node) throws Library.FailureException {
    return (String) Library.call(text, null, node);
  }

  /** Deletes statements, which are gone from disk on return. */
  void delete(List<Statement> statements) throws Library.FailureException {
    change(delete, statements);
  }

  /** Adds statements, which are on disk on return. */
  void add(List<Statement> statements) throws Library.FailureException {
    change(add, statements);
  }

  /**
   * Writes all pending data, which is on disk on return.
   *
   * @throws Library.FailureException if a write has failed since the opening
   */
  void flush() throws Library.FailureException {
    Library.call(Library.method(WRITER, "flushBuffer"), writer);
    if (flushError != null) {
      throw new Library.FailureException(
          "triples are lost: " + flushError.getMessage(), flushError);
    }
  }

  /**
   * Registers a handler for failures in Trippi's periodically writing thread, which are otherwise
   * not reported.
   */
  private void registerFlushErrorHandler() throws Library.FailureException {
    Class<?> type = Library.type("org.trippi.FlushErrorHandler");
    Object handler =
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> {
              if (method.getName().equals("handleFlushError")) {
                flushError = (Throwable) arguments[1];
              }
              return null;
            });
    Library.call(Library.method(WRITER, "setFlushErrorHandler", type), writer, handler);
  }

  private void change(Method method, List<Statement> statements) throws Library.FailureException {
    if (statements.isEmpty()) {
      return;
    }
    List<Object> triples = new ArrayList<>();
    for (Statement statement : statements) {
      triples.add(statement.triple());
    }
    Library.call(method, writer, triples, true);
  }

  @Override
  public void close() throws Library.FailureException {
    Library.call(Library.method(CONNECTOR, "close"), connector);
  }
}
