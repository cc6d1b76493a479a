package org.fedometer.profiles;

/** A profile file says something that cannot be; the message begins with its name and line. */
public final class ProfileFileException extends RuntimeException {

  private final String file;
  private final int line;

  ProfileFileException(String file, int line, String problem) {
    super(file + ":" + line + ": " + problem);
    this.file = file;
    this.line = line;
  }

  /** The file, relative to the folder of profiles. */
  public String file() {
    return file;
  }

  /** The line, from 1. */
  public int line() {
    return line;
  }
}
