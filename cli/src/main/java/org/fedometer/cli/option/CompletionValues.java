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
 * What a shell offers for options that are read as text. Only what comes with Fedometer: the script
 * of a release is made where none of a user's own profiles are. Stateless.
 */
public final class CompletionValues {
  private CompletionValues() {}

  public static final class ProfileNames implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Profiles.shipped().names().iterator();
    }
  }

  /** Values of {@code --dataset}, without what may follow. */
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

  /** Values of {@code --checksum}; bash takes what has a colon for two words. */
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
