package org.fedometer.driver.content;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.fedometer.datasets.Dataset;
import org.fedometer.datasets.PackagedObject;

/**
 * How objects and their content get into Fedora.
 *
 * @param server address at which the content server listens and Fedora fetches, if the path needs
 *     one; port 0 for a free one
 */
public record ContentOptions(
    ContentPath path, Packaging packaging, ChecksumChoice checksum, InetSocketAddress server) {

  public ContentOptions {
    Objects.requireNonNull(path, "path");
    Objects.requireNonNull(packaging, "packaging");
    Objects.requireNonNull(checksum, "checksum");
    Objects.requireNonNull(server, "server");
    if (server.getAddress() == null || server.getAddress().isAnyLocalAddress()) {
      throw new IllegalArgumentException(
          "the content server cannot have the address '"
              + server.getHostString()
              + "'; give a name or address of this machine that Fedora can reach");
    }
  }

  public static ContentOptions standard() {
    return of(ContentPath.IN_REQUEST, Packaging.FOXML, ChecksumChoice.NONE);
  }

  /** Returns options whose content server, if needed, is on loopback at a free port. */
  public static ContentOptions of(ContentPath path, Packaging packaging, ChecksumChoice checksum) {
    return new ContentOptions(
        path, packaging, checksum, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  }

  public ContentOptions withServer(InetSocketAddress other) {
    return new ContentOptions(path, packaging, checksum, other);
  }

  /**
   * Returns whether Fedora keeps content for some minutes besides storing it, as it does with
   * uploads.
   */
  public boolean takesUploads() {
    // Content in a separate datastream request is an upload within Fedora.
    return path == ContentPath.UPLOAD || packaging == Packaging.DATASTREAMS && !path.served();
  }

  public Map<String, String> facts() {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("content", path.id());
    facts.put("packaging", packaging.id());
    facts.put("checksum", checksum.id());
    return facts;
  }

  /**
   * Rejects a dataset of already packaged objects, unless all options are the defaults.
   *
   * @throws IllegalArgumentException with a message for the user
   */
  public void requireFor(Dataset dataset) {
    boolean chosen =
        path != ContentPath.IN_REQUEST
            || packaging != Packaging.FOXML
            || !checksum.equals(ChecksumChoice.NONE);
    if (chosen && dataset.size() > 0 && dataset.object(0) instanceof PackagedObject) {
      throw new IllegalArgumentException(
          "the objects of dataset "
              + dataset.name()
              + " are sent to Fedora unchanged: leave out --content, --packaging and --checksum");
    }
  }
}
