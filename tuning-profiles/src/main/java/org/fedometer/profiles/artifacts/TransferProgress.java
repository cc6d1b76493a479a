package org.fedometer.profiles.artifacts;

/** Gets the progress of downloads, on the downloading threads. */
@FunctionalInterface
public interface TransferProgress {

  TransferProgress SILENT = (file, doneBytes, totalBytes) -> {};

  /**
   * @param file name of the file, such as {@code fcrepo-installer-3.8.1.jar}
   * @param doneBytes bytes received so far
   * @param totalBytes size of the file, or -1 while unknown
   */
  void transferred(String file, long doneBytes, long totalBytes);
}
