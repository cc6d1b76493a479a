package org.fedometer.repair;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Fedora's own code for the data derived from an object's file: its triples and its row in the
 * field index. Not thread-safe.
 */
final class FedoraObjects implements AutoCloseable {

  private static final String STORAGE = "org.fcrepo.server.storage.";
  private static final String READER = STORAGE + "DOReader";
  private static final String POOL = STORAGE + "ConnectionPool";
  private static final String RESOURCE_INDEX = "org.fcrepo.server.resourceIndex.ResourceIndexImpl";
  private static final String DESERIALIZER = STORAGE + "translation.FOXML1_1DODeserializer";
  private static final String DIGITAL_OBJECT = STORAGE + "types.DigitalObject";

  /** {@code DOTranslationUtility.DESERIALIZE_INSTANCE}. */
  private static final int DESERIALIZE_INSTANCE = 0;

  private static final byte BLOCK_WHEN_EXHAUSTED = 1;

  private final Object deserializer;
  private final Method deserialize;
  private final Settings settings;
  private Object resourceIndex;
  private Object pool;
  private Object fieldSearch;

  /**
   * @param files the store of managed content, which may include DC and relationships
   */
  FedoraObjects(Settings settings, FileStore files) throws Library.FailureException {
    this.settings = settings;
    installContentSource(files);
    deserializer = Library.create(DESERIALIZER, new Class<?>[0]);
    deserialize =
        Library.method(
            DESERIALIZER,
            "deserialize",
            InputStream.class,
            Library.type(DIGITAL_OBJECT),
            String.class,
            int.class);
  }

  /**
   * Installs a content source for Fedora's datastreams, which request content from a server that
   * does not exist here.
   */
  private static void installContentSource(FileStore files) throws Library.FailureException {
    Class<?> store = Library.type(STORAGE + "lowlevel.ILowlevelStorage");
    Object source =
        Proxy.newProxyInstance(
            store.getClassLoader(),
            new Class<?>[] {store},
            (proxy, method, arguments) -> {
              if (!method.getName().equals("retrieveDatastream")) {
                throw new UnsupportedOperationException(method.getName());
              }
              ContentKey key = ContentKey.of((String) arguments[0]);
              Path file = key == null ? null : files.content(key);
              if (file == null || !Files.exists(file)) {
                throw new IllegalStateException("content " + arguments[0] + " does not exist");
              }
              return new BufferedInputStream(Files.newInputStream(file));
            });
    try {
      Field field =
          Library.type(STORAGE + "types.DatastreamManagedContent").getDeclaredField("s_llstore");
      field.setAccessible(true);
      field.set(null, source);
    } catch (ReflectiveOperationException e) {
      throw new Library.FailureException("this Fedora has its store at another place", e);
    }
  }

  /**
   * Returns the object as Fedora would read it; a {@code DOReader}.
   *
   * @throws Library.FailureException if Fedora could not read it
   */
  Object read(Path file) throws IOException, Library.FailureException {
    Object object = Library.create(STORAGE + "types.BasicDigitalObject", new Class<?>[0]);
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file), 1 << 16)) {
      Object instance = Library.call(Library.method(DESERIALIZER, "getInstance"), deserializer);
      Library.call(deserialize, instance, in, object, "UTF-8", DESERIALIZE_INSTANCE);
    }
    return Library.create(
        STORAGE + "SimpleDOReader",
        new Class<?>[] {
          Library.type("org.fcrepo.server.Context"),
          Library.type(STORAGE + "RepositoryReader"),
          Library.type(STORAGE + "translation.DOTranslator"),
          String.class,
          String.class,
          Library.type(DIGITAL_OBJECT)
        },
        null,
        null,
        null,
        null,
        null,
        object);
  }

  /**
   * Returns the triples that Fedora derives from an object, each once, in a form for this
   * triplestore.
   */
  List<Statement> statements(Object reader, Triplestore triplestore)
      throws Library.FailureException {
    Object triples = callIndex("exportObject", reader, triplestore);
    Set<Statement> statements = new LinkedHashSet<>();
    for (Object triple : (List<?>) triples) {
      statements.add(triplestore.statement(triple));
    }
    return new ArrayList<>(statements);
  }

  /** Adds the triples of an object; they are written by the end of the next flush. */
  void addTriples(Object reader, Triplestore triplestore) throws Library.FailureException {
    callIndex("addObject", reader, triplestore);
  }

  /** Removes the triples of an object; they are removed by the end of the next flush. */
  void deleteTriples(Object reader, Triplestore triplestore) throws Library.FailureException {
    callIndex("deleteObject", reader, triplestore);
  }

  private Object callIndex(String method, Object reader, Triplestore triplestore)
      throws Library.FailureException {
    if (resourceIndex == null) {
      resourceIndex =
          Library.create(
              RESOURCE_INDEX,
              new Class<?>[] {
                Library.type("org.trippi.TriplestoreConnector"),
                Library.type("org.fcrepo.server.resourceIndex.TripleGenerator"),
                int.class,
                boolean.class
              },
              triplestore.connector(),
              Library.create(
                  "org.fcrepo.server.resourceIndex.ModelBasedTripleGenerator", new Class<?>[0]),
              1,
              false);
    }
    return Library.call(
        Library.method(RESOURCE_INDEX, method, Library.type(READER)), resourceIndex, reader);
  }

  /** Writes or replaces the object's row in the field index. */
  void index(Object reader) throws Library.FailureException {
    openFieldIndex();
    Library.call(
        Library.method(
            "org.fcrepo.server.search.FieldSearchSQLImpl", "update", Library.type(READER)),
        fieldSearch,
        reader);
  }

  /** Opens the field index, as the first {@link #index} would. */
  void openFieldIndex() throws Library.FailureException {
    if (fieldSearch == null) {
      pool =
          Library.create(
              POOL,
              new Class<?>[] {
                String.class,
                String.class,
                String.class,
                String.class,
                int.class,
                int.class,
                long.class,
                int.class,
                long.class,
                int.class,
                long.class,
                String.class,
                boolean.class,
                boolean.class,
                boolean.class,
                byte.class
              },
              settings.databaseDriver(),
              settings.databaseUrl(),
              settings.databaseUser(),
              settings.databasePassword(),
              2,
              2,
              -1L,
              0,
              -1L,
              0,
              -1L,
              "",
              false,
              false,
              false,
              BLOCK_WHEN_EXHAUSTED);
      fieldSearch =
          Library.create(
              "org.fcrepo.server.search.FieldSearchSQLImpl",
              new Class<?>[] {
                Library.type(POOL),
                Library.type(STORAGE + "RepositoryReader"),
                int.class,
                int.class,
                boolean.class
              },
              pool,
              null,
              1,
              1,
              settings.indexesDublinCore());
    }
  }

  @Override
  public void close() throws Library.FailureException {
    if (pool != null) {
      Library.call(Library.method(POOL, "close"), pool);
    }
  }
}
