package org.fedometer.store;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** Words for why a file cannot be used: Java often says nothing but its path. Stateless. */
public final class FileCause {
  private FileCause() {}

  /** A part of a sentence, with the path where it is known, without the name of a class. */
  public static String of(IOException e) {
    if (!(e instanceof FileSystemException file)) {
      return e.getMessage() == null ? "it cannot be read or written" : e.getMessage();
    } else if (file.getReason() != null) {
      return file.getFile() + ": " + file.getReason();
    } else if (e instanceof AccessDeniedException) {
      return file.getFile() + " may not be read or changed by this user";
    } else if (e instanceof NoSuchFileException) {
      return file.getFile() + " is not there";
    } else if (e instanceof FileAlreadyExistsException) {
      return file.getFile() + " is there already";
    }
    return file.getFile() + " cannot be read or written";
  }
}
