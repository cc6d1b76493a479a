package org.fedometer.driver.content;

import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Optional;
import org.fedometer.datasets.CarriedContent;
import org.fedometer.datasets.CarriedContent.Referenced;
import org.fedometer.datasets.ComposedObject;
import org.fedometer.datasets.FoxmlWriter;
import org.fedometer.datasets.RepositoryObject;
import org.fedometer.driver.fedora.ContentFailureException;

/**
 * One object and the way its content gets into Fedora. Made for each object that is sent, used by
 * one worker, closed when the object is settled.
 */
public final class Parcel implements AutoCloseable {

  private final RepositoryObject object;
  private final List<CarriedContent> contents;
  private final ContentOptions options;
  private final Optional<ContentServer.RequestTracker> tracker;
  private final Optional<ContentFailureException> failure;

  /** Defers a failure to produce content until it is sent. */
  public Parcel(long index, RepositoryObject object, ContentDelivery delivery) {
    this.object = object;
    this.options = delivery.options();
    List<CarriedContent> made = List.of();
    Optional<ContentFailureException> fault = Optional.empty();
    try {
      made = delivery.of(index, object);
    } catch (ContentFailureException e) {
      fault = Optional.of(e);
    }
    this.contents = made;
    this.failure = fault;
    this.tracker = delivery.server().map(server -> server.track(index, object));
  }

  /** Returns the object as the dataset makes it, even if its content is unavailable. */
  public RepositoryObject object() {
    return object;
  }

  public String pid() {
    return object.pid();
  }

  /** Returns the bytes of content that Fedora holds once the object is complete. */
  public long storedBytes() {
    return options.path().stays() ? 0 : object.contentBytes();
  }

  public List<CarriedContent> contents() {
    return contents;
  }

  /** Returns the content within the request that creates the object. */
  public List<CarriedContent> inFoxml() {
    return sendsSeparately() ? List.of() : contents;
  }

  public List<CarriedContent> separateDatastreams() {
    return sendsSeparately() ? contents : List.of();
  }

  private boolean sendsSeparately() {
    return options.packaging() == Packaging.DATASTREAMS && object instanceof ComposedObject;
  }

  public boolean uploads() {
    return options.path() == ContentPath.UPLOAD;
  }

  /** Returns whether Fedora keeps earlier versions of a datastream that is changed later. */
  public boolean versions() {
    return !(object instanceof ComposedObject composed) || composed.versions();
  }

  /**
   * @param carried content of the request, uploads by their names
   */
  public void writeFoxml(List<CarriedContent> carried, OutputStream out) throws IOException {
    if (failure.isPresent()) {
      throw failure.get();
    }
    if (object instanceof ComposedObject composed) {
      FoxmlWriter.write(composed, carried, out);
    } else {
      object.writeFoxml(out);
    }
  }

  /**
   * Returns the bytes that Fedora receives in a request with this content, without uploaded and
   * external content.
   */
  public static long receivedBytes(List<CarriedContent> carried) {
    long bytes = 0;
    for (CarriedContent one : carried) {
      boolean elsewhere =
          one.carriage() instanceof Referenced referenced
              && (referenced.controlGroup() != 'M'
                  || referenced.location().startsWith("uploaded:"));
      bytes += elsewhere ? 0 : one.content().sizeBytes();
    }
    return bytes;
  }

  /** Starts tracking a new request. */
  public void beginRequest() {
    tracker.ifPresent(ContentServer.RequestTracker::reset);
  }

  /**
   * Returns the content server's view of a failed request, since Fedora's response does not report
   * a failed fetch. Empty if all was fetched or nothing was to be.
   */
  public String fetchFailure(List<CarriedContent> carried) {
    if (tracker.isEmpty()) {
      return "";
    }
    for (CarriedContent one : carried) {
      if (!(one.carriage() instanceof Referenced referenced)) {
        continue;
      }
      String id = one.content().id();
      Optional<String> error = tracker.get().lastError(id);
      if (error.isPresent() && !error.get().isEmpty()) {
        return ". Fedora could not fetch " + id + ": " + error.get();
      }
      boolean fetched = referenced.controlGroup() == 'M' || one.checksum().isPresent();
      if (error.isEmpty() && fetched) {
        return ". Fedora did not fetch "
            + id
            + " from "
            + referenced.location()
            + "; check for a policy, a proxy or a firewall that blocks it";
      }
    }
    return "";
  }

  @Override
  public void close() {
    tracker.ifPresent(ContentServer.RequestTracker::close);
  }
}
