package org.fedometer.experiments;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.fedometer.driver.journal.Journal;

/**
 * What drivers of a run have left in the store of their host so that somebody can go on with it: of
 * no use when the run is deleted. Stateless.
 */
public final class LeftJobs {
  private LeftJobs() {}

  /**
   * Refuses while a driver of the run is at work.
   *
   * @param run its name
   * @throws IOException in words for the user
   */
  public static void requireNobodyAtWork(Path store, String run) throws IOException {
    for (Path folder : foldersOf(store, run)) {
      if (Journal.isIn(folder)) {
        Journal.requireNotInUse(folder);
      }
    }
  }

  /**
   * Deletes the journals of a run with all of its parts.
   *
   * @return what is left all the same, a sentence each: a Fedora is deleted by whoever says so
   */
  public static List<String> forget(Path store, String run) throws IOException {
    List<String> left = new ArrayList<>();
    for (Path folder : foldersOf(store, run)) {
      if (JobRecord.isIn(folder)) {
        JobRecord.OwnStack stack = JobRecord.read(folder).stack();
        if (stack != null && Files.exists(Path.of(stack.home()))) {
          left.add(
              "the Fedora of "
                  + run
                  + " is still there: 'fedometer down --home "
                  + stack.home()
                  + " --delete' deletes it");
        }
      }
      JobRecord.delete(folder);
      Journal.delete(folder);
    }
    return left;
  }

  private static List<Path> foldersOf(Path store, String run) throws IOException {
    Path own = JobRecord.folderOf(store, run);
    if (!Files.isDirectory(own.getParent())) {
      return List.of();
    }
    Pattern name = Pattern.compile(Pattern.quote(run) + "(\\.[0-9]+-of-[0-9]+)?");
    try (Stream<Path> folders = Files.list(own.getParent())) {
      return folders
          .filter(folder -> name.matcher(folder.getFileName().toString()).matches())
          .filter(Files::isDirectory)
          .sorted()
          .toList();
    }
  }
}
