package fedora.server.storage;

import fedora.server.Context;
import fedora.server.management.BasicPIDGenerator;
import fedora.server.resourceIndex.ResourceIndexImpl;
import fedora.server.search.FieldSearchSQLImpl;
import fedora.server.storage.lowlevel.DefaultLowlevelStorage;
import fedora.server.storage.translation.DOTranslatorImpl;
import fedora.server.validation.DOValidatorImpl;
import java.io.File;
import java.io.InputStream;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.Statement;

/** With the methods of Fedora 3.3, one writer at a time, and little in them. */
public class DefaultDOManager implements DOManager {
  private final ConnectionPool pool = new ConnectionPool();
  private final BasicPIDGenerator pidGenerator = new BasicPIDGenerator();
  private final DOTranslatorImpl translator = new DOTranslatorImpl();
  private final DOValidatorImpl validator = new DOValidatorImpl();
  private final DefaultLowlevelStorage store = new DefaultLowlevelStorage();
  private final FieldSearchSQLImpl fieldSearch = new FieldSearchSQLImpl(pool);
  private final ResourceIndexImpl resourceIndex = new ResourceIndexImpl();

  @Override
  public synchronized DOWriter getIngestWriter(
      boolean cachedObjectRequired,
      Context context,
      InputStream in,
      String format,
      String encoding,
      boolean newPid)
      throws Exception {
    byte[] body = in.readAllBytes();
    String pid = new String(body, encoding);
    File temporary = File.createTempFile("fedora-ingest-temp", ".xml");
    try {
      Files.write(temporary.toPath(), body);
      validator.validate(temporary, format, 0, "ingest");
      translator.deserialize(in, null, format, encoding, 0);
      pidGenerator.neverGeneratePID(pid);
      getWriteLock(pid);
      if (objectExists(pid)) {
        throw new IllegalStateException(pid + " is there");
      }
      populateDC(pid);
      registerObject(pid, "user", "label", null, null, null);
      return new DOWriter(pid, this);
    } finally {
      temporary.delete();
    }
  }

  public void doCommit(
      boolean cachedObjectRequired, Context context, String object, String logMessage, boolean remove)
      throws Exception {
    store.addDatastream(object + "+A+A.0", null);
    translator.serialize(null, null, "format", "UTF-8", 0);
    translator.deserialize(null, null, "format", "UTF-8", 0);
    resourceIndex.addObject(object);
    store.addObject(object, null);
    Connection connection = pool.getConnection();
    try (Statement statement = connection.createStatement()) {
      statement.executeQuery("SELECT systemVersion FROM doRegistry");
      statement.executeUpdate("UPDATE doRegistry SET systemVersion=1");
    }
    pool.free(connection);
    fieldSearch.update(object);
  }

  public boolean objectExists(String pid) throws Exception {
    Connection connection = pool.getConnection();
    try (Statement statement = connection.createStatement()) {
      return statement.executeQuery("SELECT doPID FROM doRegistry") == null && pid.contains("taken");
    } finally {
      pool.free(connection);
    }
  }

  private void getWriteLock(String pid) {}

  private static void populateDC(String object) {}

  private void registerObject(
      String object, String userId, String label, String a, String b, String c) throws Exception {
    Connection connection = pool.getConnection();
    try (Statement statement = connection.createStatement()) {
      statement.executeUpdate("INSERT INTO doRegistry");
    } finally {
      pool.free(connection);
    }
  }
}
