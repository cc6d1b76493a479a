package org.fedometer.driver.content;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import org.fedometer.datasets.CarriedContent;
import org.fedometer.datasets.CarriedContent.Checksum;
import org.fedometer.datasets.CarriedContent.InlineXml;
import org.fedometer.datasets.ContentStream;
import org.fedometer.datasets.Dataset;
import org.fedometer.datasets.PackagedObject;
import org.fedometer.datasets.RepositoryObject;
import org.fedometer.datasets.XmlProlog;
import org.fedometer.driver.fedora.ContentFailureException;

/**
 * Decides how each content stream gets into Fedora, and runs the content server if needed. Content
 * that stays outside Fedora is available while this is open. Opened before an ingest, closed after
 * its verification. Thread-safe.
 */
public final class ContentDelivery implements AutoCloseable {

  private final ContentOptions options;
  private final Optional<ContentServer> server;

  private ContentDelivery(ContentOptions options, Optional<ContentServer> server) {
    this.options = options;
    this.server = server;
  }

  /** Returns a delivery within one FOXML document; it needs no close. */
  public static ContentDelivery inRequest() {
    return new ContentDelivery(ContentOptions.standard(), Optional.empty());
  }

  /**
   * Starts the content server if the options need one.
   *
   * @throws IOException if it cannot listen at its address
   * @throws IllegalArgumentException if the options do not suit the dataset
   */
  public static ContentDelivery open(ContentOptions options, Dataset dataset) throws IOException {
    Objects.requireNonNull(options, "options");
    options.requireFor(dataset);
    return new ContentDelivery(
        options,
        options.path().served()
            ? Optional.of(ContentServer.start(dataset, options.server()))
            : Optional.empty());
  }

  public ContentOptions options() {
    return options;
  }

  public Optional<ContentServer> server() {
    return server;
  }

  /**
   * Returns the content of an object, each stream with its way into Fedora. A stream to be uploaded
   * is enclosed until its upload has a name. Reads the beginning of what may be inlined, and all of
   * what needs a stated digest.
   *
   * @throws ContentFailureException if the dataset cannot produce the content
   */
  public List<CarriedContent> of(long index, RepositoryObject object)
      throws ContentFailureException {
    List<CarriedContent> carried = new ArrayList<>();
    for (ContentStream content : object.content()) {
      if (object instanceof PackagedObject) {
        carried.add(CarriedContent.enclosed(content));
        continue;
      }
      try {
        carried.add(of(index, content));
      } catch (IOException | RuntimeException e) {
        throw new ContentFailureException(e);
      }
    }
    return carried;
  }

  private CarriedContent of(long index, ContentStream content) throws IOException {
    if (options.path() == ContentPath.INLINE_XML) {
      OptionalInt prolog = XmlProlog.lengthBytes(content);
      if (prolog.isPresent()) {
        // Fedora's digest covers its own serialization of the XML, which is unknown here.
        return new CarriedContent(
            content,
            new InlineXml(prolog.getAsInt()),
            options.checksum().algorithm().map(name -> new Checksum(name, Optional.empty())));
      }
    }
    CarriedContent enclosed =
        new CarriedContent(content, new CarriedContent.Enclosed(), checksum(content));
    return server.isPresent()
        ? enclosed.at(options.path().controlGroup(), server.get().url(index, content.id()))
        : enclosed;
  }

  private Optional<Checksum> checksum(ContentStream content) throws IOException {
    if (options.checksum().algorithm().isEmpty()) {
      return Optional.empty();
    }
    var algorithm = options.checksum().algorithm().get();
    return Optional.of(
        new Checksum(
            algorithm,
            options.checksum().stated()
                ? Optional.of(algorithm.digestOf(content))
                : Optional.empty()));
  }

  @Override
  public void close() {
    server.ifPresent(ContentServer::close);
  }
}
