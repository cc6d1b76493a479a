package org.fedometer.offline;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Where the files of objects and of managed content lie, in one of Fedora's two ways. */
interface FileStore {

  /** Told of what is there, in no order. */
  interface Visitor {
    /** The file of an object. */
    void object(String pid, Path file) throws IOException;

    /** Managed content. */
    void content(ContentKey key, Path file) throws IOException;

    /** A file beside that of an object or content, from a replacement that was cut short. */
    void replacement(Replacement replacement) throws IOException;

    /** A file that is none of Fedora's. */
    void foreign(Path file) throws IOException;
  }

  void eachObject(Visitor visitor) throws IOException;

  void eachContent(Visitor visitor) throws IOException;

  /** Where the content is, or would be; null if it is not there and has no place. */
  Path content(ContentKey key) throws IOException;

  /** The folders that all of it lies in. */
  List<Path> folders();

  /** Forgets a file that was moved away, where the store keeps a list of them. */
  void forgetObject(String pid) throws IOException;

  /** Likewise, of content. */
  void forgetContent(ContentKey key) throws IOException;
}
