package org.fedometer.cli.dataset;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.function.Function;
import org.fedometer.cli.option.CompletionValues;
import org.fedometer.cli.option.HostPort;
import org.fedometer.datasets.ChecksumAlgorithm;
import org.fedometer.driver.content.ChecksumChoice;
import org.fedometer.driver.content.ContentOptions;
import org.fedometer.driver.content.ContentPath;
import org.fedometer.driver.content.Packaging;
import org.fedometer.profiles.Spelling;
import picocli.CommandLine.Option;

/** Options for ingesting objects with content. */
public final class ContentChoice {
  @Option(
      names = "--content",
      paramLabel = "PATH",
      completionCandidates = CompletionValues.ContentPaths.class,
      defaultValue = "in-request",
      description =
          "How content gets into Fedora (default: ${DEFAULT-VALUE}): in-request (managed, base64 in"
              + " the FOXML), inline-xml (XML as inline XML, other content as before), url (managed,"
              + " Fedora fetches it from a server in the driver), upload (managed, by the upload"
              + " servlet), external or redirect (stays on that server, which ends with the run).")
  private String path;

  @Option(
      names = "--packaging",
      paramLabel = "KIND",
      completionCandidates = CompletionValues.Packagings.class,
      defaultValue = "foxml",
      description =
          "foxml sends an object as one document, datastreams the object first and then each"
              + " datastream by a request of its own (default: ${DEFAULT-VALUE}).")
  private String packaging;

  @Option(
      names = "--checksum",
      paramLabel = "C",
      completionCandidates = CompletionValues.Checksums.class,
      defaultValue = "none",
      description =
          "The checksum that Fedora keeps of each datastream with content: none, MD5, SHA-1,"
              + " SHA-256, SHA-384 or SHA-512, which the driver states and Fedora checks, or"
              + " SHA-256:by-fedora and the like, which Fedora alone computes (default:"
              + " ${DEFAULT-VALUE}).")
  private String checksum;

  @Option(
      names = "--content-server",
      paramLabel = "H:P",
      converter = HostPort.class,
      description =
          "Where the driver's content server listens and Fedora asks it, a name or address of this"
              + " machine (default: loopback, a free port). It answers everybody who can reach it.")
  private InetSocketAddress server;

  /**
   * @throws IllegalArgumentException with a message for the user
   */
  public ContentOptions options() {
    ContentOptions chosen =
        ContentOptions.of(
            parse("--content", path, ContentPath.ids(), ContentPath::named),
            parse("--packaging", packaging, Packaging.ids(), Packaging::named),
            parse("--checksum", checksum, ChecksumAlgorithm.fedoraNames(), ChecksumChoice::named));
    if (server == null) {
      return chosen;
    }
    if (!chosen.path().served()) {
      throw new IllegalArgumentException(
          "--content-server: nothing is served with --content "
              + path
              + "; it goes with url, external and redirect");
    }
    try {
      return chosen.withServer(server);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("--content-server: " + e.getMessage(), e);
    }
  }

  private static <T> T parse(
      String option, String value, List<String> known, Function<String, T> parser) {
    try {
      return parser.apply(value);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          option + ": " + e.getMessage() + Spelling.suggestion(value, known), e);
    }
  }
}
