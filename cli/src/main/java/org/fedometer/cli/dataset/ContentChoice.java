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
          "How content reaches Fedora (default: ${DEFAULT-VALUE}): in-request (base64 in"
              + " the FOXML), inline-xml (XML inline, other content in the request), url (Fedora"
              + " fetches it from the driver), upload (upload servlet), external or redirect"
              + " (stays on the content server of the driver).")
  private String path;

  @Option(
      names = "--packaging",
      paramLabel = "KIND",
      completionCandidates = CompletionValues.Packagings.class,
      defaultValue = "foxml",
      description =
          "foxml: one request per object. datastreams: one request for the object and one"
              + " for each datastream (default: ${DEFAULT-VALUE}).")
  private String packaging;

  @Option(
      names = "--checksum",
      paramLabel = "C",
      completionCandidates = CompletionValues.Checksums.class,
      defaultValue = "none",
      description =
          "Checksum of each datastream: none, MD5, SHA-1, SHA-256, SHA-384 or SHA-512, sent"
              + " by the driver; with :by-fedora, computed by Fedora alone (default:"
              + " ${DEFAULT-VALUE}).")
  private String checksum;

  @Option(
      names = "--content-server",
      paramLabel = "H:P",
      converter = HostPort.class,
      description =
          "Address of the content server of the driver, as Fedora reaches it (default:"
              + " loopback, a free port). Anyone who reaches it can read the content.")
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
          "--content-server: --content "
              + path
              + " needs no content server; give --content url, external or redirect");
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
