package org.fedometer.store;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.regex.Pattern;
import org.fedometer.wire.disk.PrivateFiles;

/**
 * Identity of a store, from {@code store.json}. It is part of every file name that its collector
 * assigns, so that the folders of two stores can be copied into one.
 *
 * @param schema version of the layout and of the tables, {@link #SCHEMA}
 * @param id eight lower-case hexadecimal digits
 * @param created time, ISO-8601
 */
public record StoreIdentity(int schema, String id, String created) {
  /** The version that this code writes. */
  public static final int SCHEMA = 1;

  private static final Pattern ID = Pattern.compile("[0-9a-f]{8}");
  private static final JsonMapper JSON =
      JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

  /**
   * Returns the identity of the store in a directory; creates a missing one. The caller holds the
   * store's lock.
   *
   * @throws IOException one sentence, also if a newer version wrote the store
   */
  public static StoreIdentity of(Path store) throws IOException {
    Path file = store.resolve("store.json");
    StoreIdentity identity;
    try {
      identity = JSON.readValue(Files.readAllBytes(file), StoreIdentity.class);
    } catch (NoSuchFileException e) {
      identity =
          new StoreIdentity(
              SCHEMA, "%08x".formatted(new SecureRandom().nextInt()), Instant.now().toString());
      PrivateFiles.replace(file, JSON.writeValueAsBytes(identity));
    } catch (JacksonException e) {
      throw new IOException(damaged(file, "it cannot be read: " + JsonFault.of(e)), e);
    }
    if (identity == null || identity.id() == null || !ID.matcher(identity.id()).matches()) {
      throw new IOException(damaged(file, "it has no id of eight hexadecimal digits"));
    }
    if (identity.schema() > SCHEMA) {
      throw new IOException(
          "%s has the schema %d, but this version of Fedometer writes %d; use a newer version"
              .formatted(file, identity.schema(), SCHEMA));
    }
    return identity;
  }

  /**
   * Never repaired automatically: a store with a silently changed identity would not recognize its
   * files.
   */
  private static String damaged(Path file, String problem) {
    return file
        + " is damaged: "
        + problem
        + "; restore it, or delete it; the store then gets a new identity, and its runs stay"
        + " readable";
  }
}
