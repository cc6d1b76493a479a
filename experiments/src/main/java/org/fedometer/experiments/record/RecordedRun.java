package org.fedometer.experiments.record;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Optional;
import org.fedometer.driver.content.ContentDelivery;
import org.fedometer.driver.verify.RunClaim;
import org.fedometer.experiments.host.ThisHost;
import org.fedometer.profiles.stack.Stack;
import org.fedometer.profiles.stack.StackRegistry;
import org.fedometer.store.RunDocument;
import org.fedometer.store.RunFolder;

/**
 * The objects that Fedora should hold by a run's folder alone, wherever it was copied; for a paused
 * run, also by its driver. Immutable.
 *
 * @param claim the objects, and those that may be missing
 * @param delivery delivery of the objects; needs no close
 * @param triples true if there was a triplestore
 * @param notes what is not compared, a sentence each
 */
public record RecordedRun(
    RunDocument document,
    RunClaim claim,
    ContentDelivery delivery,
    boolean triples,
    List<String> notes) {

  public RecordedRun {
    notes = List.copyOf(notes);
  }

  /**
   * Reads the record of a run. Opening its dataset can last some seconds.
   *
   * @throws IllegalArgumentException with a message for the user, if there is nothing to compare
   * @throws IOException if the record cannot be read, or the driver of a paused run does not answer
   */
  public static RecordedRun of(RunFolder folder) throws IOException {
    return RunReading.of(folder);
  }

  /**
   * Returns this user's running stack that the run was loaded into: by its recorded address, or as
   * the run's own kept Fedora.
   */
  public Optional<Stack> fedora() throws IOException {
    Optional<String> url = url();
    String homeName = document.name() + "-" + document.id();
    return StackRegistry.ofUser().running().stream()
        .filter(
            stack ->
                url.filter(known -> isHere(known, stack.url().getPort())).isPresent()
                    || stack.home().getFileName().toString().equals(homeName))
        .findFirst();
  }

  /** Returns whether an address is of this host, by any name, and of the port. */
  static boolean isHere(String url, int port) {
    try {
      URI address = new URI(url);
      return address.getPort() == port && ThisHost.isResolvedFrom(address);
    } catch (URISyntaxException e) {
      return false; // a run's folder may have any origin
    }
  }

  /** Returns Fedora's recorded address; empty for a run with its own Fedora. */
  public Optional<String> url() {
    return Optional.ofNullable(document.environment()).map(facts -> facts.get("fedora.url"));
  }
}
