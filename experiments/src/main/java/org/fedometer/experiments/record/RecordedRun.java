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
 * What a run's folder says of the objects that Fedora should hold: the folder alone, wherever it
 * was copied to, and for a run that is paused its driver. Immutable.
 *
 * @param claim which objects, and which may be missing
 * @param delivery how they got into Fedora; there is nothing to be closed
 * @param triples whether there was a triplestore
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
   * Reads the record of a run. Opening its dataset can take some seconds.
   *
   * @throws IllegalArgumentException in words for the user: there is nothing that could be compared
   * @throws IOException if the record cannot be read, or the driver of a paused run does not answer
   */
  public static RecordedRun of(RunFolder folder) throws IOException {
    return RunReading.of(folder);
  }

  /**
   * The stack of this user that is up and that the run was loaded into: by the address that it was
   * given, or because the run brought it up and kept it.
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

  /** Whether an address is one of this host, by whatever name, and of that port. */
  static boolean isHere(String url, int port) {
    try {
      URI address = new URI(url);
      return address.getPort() == port && ThisHost.isResolvedFrom(address);
    } catch (URISyntaxException e) {
      return false; // a run's folder may be anybody's
    }
  }

  /** Fedora's address on record; empty for a run that brought up its own. */
  public Optional<String> url() {
    return Optional.ofNullable(document.environment()).map(facts -> facts.get("fedora.url"));
  }
}
