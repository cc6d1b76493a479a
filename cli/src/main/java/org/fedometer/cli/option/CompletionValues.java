package org.fedometer.cli.option;

import java.util.Iterator;
import java.util.stream.Stream;
import org.fedometer.datasets.ChecksumAlgorithm;
import org.fedometer.datasets.catalogue.Datasets;
import org.fedometer.driver.content.ContentPath;
import org.fedometer.driver.content.Packaging;
import org.fedometer.experiments.load.VerifyChoice;
import org.fedometer.profiles.Profiles;

/**
 * Shell completions of options parsed as text. Only values shipped with Fedometer, since a
 * release's script is built without a user's profiles. Stateless.
 */
public final class CompletionValues {
  private CompletionValues() {}

  public static final class ProfileNames implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Profiles.shipped().names().iterator();
    }
  }

  /** Values of {@code --dataset}, without parameters. */
  public static final class DatasetNames implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Datasets.names().iterator();
    }
  }

  public static final class ContentPaths implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return ContentPath.ids().iterator();
    }
  }

  public static final class Packagings implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Packaging.ids().iterator();
    }
  }

  /** Values of {@code --checksum}; bash splits words at colons. */
  public static final class Checksums implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Stream.concat(Stream.of("none"), ChecksumAlgorithm.fedoraNames().stream()).iterator();
    }
  }

  public static final class VerifyDepths implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return VerifyChoice.names().iterator();
    }
  }
}
