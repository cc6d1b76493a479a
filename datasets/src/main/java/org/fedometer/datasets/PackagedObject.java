package org.fedometer.datasets;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.Set;

/**
 * An object packaged by others: FOXML that is sent to Fedora unchanged.
 *
 * @param content the FOXML's managed content, in its latest version
 * @param triples the number of triples counted in the FOXML
 */
public record PackagedObject(
    String pid,
    String label,
    List<ContentStream> content,
    Set<String> datastreamIds,
    int triples,
    long foxmlBytes,
    Foxml foxml)
    implements RepositoryObject {

  @FunctionalInterface
  public interface Foxml {
    /** Opens the FOXML from the start each time; the caller closes it. */
    InputStream open() throws IOException;
  }

  public PackagedObject {
    content = List.copyOf(content);
    datastreamIds = Set.copyOf(datastreamIds);
  }

  @Override
  public void writeFoxml(OutputStream out) throws IOException {
    long written;
    try (InputStream in = foxml.open()) {
      written = in.transferTo(out);
    }
    if (written != foxmlBytes) {
      throw new IOException(
          "the FOXML of %s has %d bytes instead of %d: did the file change during the run?"
              .formatted(pid, written, foxmlBytes));
    }
  }
}
