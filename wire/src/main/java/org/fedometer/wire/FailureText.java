package org.fedometer.wire;

import java.io.CharConversionException;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.Locale;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Describes a throwable to a user without class names. Turns a message that is only a path or a
 * host into a sentence; describes an exception without a message by its kind. Stateless.
 */
public final class FailureText {
  /** A qualified exception name, as {@link Throwable#toString} puts it before a message. */
  private static final Pattern CLASS_NAME =
      Pattern.compile(
          "\\b(?:[a-z_$][\\w$]*\\.)+([A-Z][\\w$]*(?:Exception|Error|Throwable))\\b(: *)?");

  private static final Pattern LINE_ENDS = Pattern.compile("\\s*\\R\\s*");

  private static final Pattern WORD_BORDER =
      Pattern.compile("(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])");

  private FailureText() {}

  /** Returns the description: never null or empty; several lines if the message has several. */
  public static String of(Throwable failure) {
    Throwable cause = failure;
    while (cause.getCause() != null && isWrapper(cause)) {
      cause = cause.getCause();
    }
    String sentence = ofFile(cause);
    if (sentence != null) {
      return sentence;
    }
    if (cause instanceof CharacterCodingException) {
      // Java reports only the number of bytes; the reader of the file names what it read.
      return "the text is not valid UTF-8";
    }
    String message = cause.getMessage();
    if (message == null || message.trim().isEmpty()) {
      return kind(cause);
    }
    if (cause instanceof UnknownHostException && message.indexOf(' ') < 0) {
      return "the host " + message + " is not known";
    }
    if (cause instanceof IncompatibleClassChangeError) {
      return kind(cause) + ": " + message;
    }
    if (isMissingClass(cause) && message.indexOf(' ') < 0) {
      return "the class " + message.replace('/', '.') + " is missing";
    }
    if (message.indexOf(' ') < 0 && isBare(cause)) {
      return kind(cause) + ": " + message;
    }
    return withoutClassNames(message);
  }

  /** Returns the text of {@link #of} with its lines joined by spaces. */
  public static String inOneLine(Throwable failure) {
    return LINE_ENDS.matcher(of(failure).trim()).replaceAll(" ");
  }

  /** True if the message may be only a number or a name. */
  private static boolean isBare(Throwable failure) {
    return failure instanceof IndexOutOfBoundsException
        || failure instanceof ReflectiveOperationException;
  }

  private static boolean isMissingClass(Throwable failure) {
    return failure instanceof ClassNotFoundException || failure instanceof NoClassDefFoundError;
  }

  /** Removes class names of exceptions from a library's message and keeps the rest of the text. */
  public static String withoutClassNames(String message) {
    Matcher names = CLASS_NAME.matcher(message);
    StringBuffer text = new StringBuffer();
    while (names.find()) {
      boolean saysMore = names.group(2) != null && names.end() < message.length();
      names.appendReplacement(
          text, saysMore ? "" : Matcher.quoteReplacement(words(names.group(1))));
    }
    return names.appendTail(text).toString();
  }

  private static String invalidPath(InvalidPathException failure) {
    String encoding = System.getProperty("sun.jnu.encoding", "");
    boolean locale = failure.getInput().indexOf('\uFFFD') >= 0 || !isAscii(failure.getInput());
    return locale
        ? "the path \""
            + failure.getInput()
            + "\" has characters that this process's locale cannot represent (its encoding is "
            + encoding
            + "); set LC_ALL to a UTF-8 locale, for example C.UTF-8"
        : "\"" + failure.getInput() + "\" is not a valid path: " + failure.getReason();
  }

  private static boolean isAscii(String text) {
    return text.chars().allMatch(c -> c < 0x80);
  }

  /**
   * Describes a path without a reason, since Java often gives only the path; null if not
   * applicable.
   */
  private static String ofFile(Throwable failure) {
    if (failure instanceof InvalidPathException) {
      return invalidPath((InvalidPathException) failure);
    }
    if (!(failure instanceof FileSystemException)) {
      return null;
    }
    FileSystemException file = (FileSystemException) failure;
    if (file.getReason() != null || file.getFile() == null) {
      return null;
    }
    return SafeLine.of(file.getFile()) + " " + ofFileKind(file);
  }

  private static String ofFileKind(FileSystemException failure) {
    if (failure instanceof NoSuchFileException) {
      return "does not exist";
    } else if (failure instanceof NotDirectoryException) {
      return "is not a folder";
    } else if (failure instanceof FileAlreadyExistsException) {
      return "already exists";
    } else if (failure instanceof AccessDeniedException) {
      return "cannot be accessed by this user";
    } else if (failure instanceof DirectoryNotEmptyException) {
      return "is a folder that is not empty";
    } else if (failure instanceof FileSystemLoopException) {
      return "leads back to itself";
    }
    return "cannot be used";
  }

  /** Requires that {@code failure} has a cause. */
  private static boolean isWrapper(Throwable failure) {
    return failure.getCause().toString().equals(failure.getMessage())
        || failure instanceof UncheckedIOException
        || failure instanceof ExecutionException
        || failure instanceof CompletionException;
  }

  private static String kind(Throwable failure) {
    if (failure instanceof EOFException) {
      return "it ends too early";
    } else if (failure instanceof CharConversionException) {
      return "it is not text in the expected encoding";
    } else if (failure instanceof SocketTimeoutException) {
      return "no answer in time";
    } else if (failure instanceof ConnectException) {
      return "the connection was refused";
    } else if (failure instanceof FileNotFoundException) {
      return "the file does not exist";
    } else if (failure instanceof StackOverflowError) {
      return "it is nested too deeply";
    } else if (failure instanceof OutOfMemoryError) {
      return "there is no memory left";
    }
    return words(failure.getClass().getSimpleName());
  }

  /** Turns {@code ClosedChannelException} into "closed channel". */
  private static String words(String className) {
    String bare = className.replaceFirst("(?:Exception|Error|Throwable)$", "");
    String words = WORD_BORDER.matcher(bare).replaceAll(" ").toLowerCase(Locale.ROOT).trim();
    return words.isEmpty() || words.equals("io") || words.equals("runtime")
        ? "an unexpected failure"
        : words;
  }
}
