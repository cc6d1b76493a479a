package org.fedometer.profiles.artifacts;

/** Hears of downloads while they run; called on the threads that download. */
@FunctionalInterface
public interface TransferProgress {

  TransferProgress SILENT = (file, doneBytes, totalBytes) -> {};

  /**
   * @param file name of the file, such as {@code fcrepo-installer-3.8.1.jar}
   * @param doneBytes bytes that have come so far
   * @param totalBytes size of the file, or -1 while it is unknown
   */
  void transferred(String file, long doneBytes, long totalBytes);
}
