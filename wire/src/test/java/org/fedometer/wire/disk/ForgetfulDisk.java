package org.fedometer.wire.disk;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.WatchService;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.nio.file.spi.FileSystemProvider;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A file system over a real folder that keeps in mind what was synced, and can show what a loss of
 * power would leave: of a folder the entries that it had when it was last synced, of a file the
 * bytes. Everything else is lost, as POSIX allows. For one thread at a time.
 */
public final class ForgetfulDisk {
  private final Path root;
  private final Provider provider;
  private final System system;

  /** Synced entries, by an identity that survives a rename. */
  private final Map<Object, Map<String, Node>> entries = new HashMap<>();

  private final Map<Object, byte[]> contents = new HashMap<>();

  /** Identities of files, since the kernel reuses the number of a deleted one. */
  private final Map<Object, Object> identities = new HashMap<>();

  private Runnable afterEach = () -> {};

  private record Node(Object identity, boolean folder) {}

  /**
   * @param root a real folder, empty; it counts as synced
   */
  public ForgetfulDisk(Path root) {
    this.root = root;
    this.provider = new Provider();
    this.system = new System();
  }

  /** The folder, by whose paths this file system is used. */
  public Path root() {
    return wrap(root);
  }

  /** Has something done after each change and each sync, such as looking at what would be left. */
  public void afterEach(Runnable look) {
    afterEach = look;
  }

  /** Makes in an empty folder what a loss of power would leave now. */
  public void showLossOfPower(Path into) throws IOException {
    show(identity(root), into);
  }

  private void show(Object folder, Path into) throws IOException {
    Files.createDirectories(into);
    for (Map.Entry<String, Node> entry : entries.getOrDefault(folder, Map.of()).entrySet()) {
      Path place = into.resolve(entry.getKey());
      if (entry.getValue().folder()) {
        show(entry.getValue().identity(), place);
      } else {
        Files.write(place, contents.getOrDefault(entry.getValue().identity(), new byte[0]));
      }
    }
  }

  private Object identity(Path real) throws IOException {
    Object key = Files.readAttributes(real, BasicFileAttributes.class).fileKey();
    return identities.computeIfAbsent(key, ignored -> new Object());
  }

  private void made(Path real) throws IOException {
    identities.put(Files.readAttributes(real, BasicFileAttributes.class).fileKey(), new Object());
  }

  private void synced(Path real) throws IOException {
    if (Files.isDirectory(real)) {
      Map<String, Node> now = new TreeMap<>();
      try (Stream<Path> children = Files.list(real)) {
        for (Path child : children.toList()) {
          now.put(
              child.getFileName().toString(), new Node(identity(child), Files.isDirectory(child)));
        }
      }
      entries.put(identity(real), now);
    } else {
      contents.put(identity(real), Files.readAllBytes(real));
    }
    afterEach.run();
  }

  private Path wrap(Path real) {
    return (Path)
        Proxy.newProxyInstance(
            ForgetfulDisk.class.getClassLoader(),
            new Class<?>[] {Path.class, Wrapped.class},
            (proxy, method, arguments) -> invoke(real, method, arguments));
  }

  /** A path of this file system with its real path. */
  private interface Wrapped {
    Path real();
  }

  private static Path real(Path path) {
    return path instanceof Wrapped wrapped ? wrapped.real() : path;
  }

  private Object invoke(Path real, Method method, Object[] arguments) throws Throwable {
    switch (method.getName()) {
      case "real":
        return real;
      case "getFileSystem":
        return system;
      case "iterator":
        Iterator<Path> names = real.iterator();
        return Stream.generate(names::next).limit(real.getNameCount()).map(this::wrap).iterator();
      default:
        Object[] unwrapped = arguments == null ? new Object[0] : arguments.clone();
        for (int i = 0; i < unwrapped.length; i++) {
          if (unwrapped[i] instanceof Path path) {
            unwrapped[i] = real(path);
          }
        }
        try {
          Object result = method.invoke(real, unwrapped);
          return result instanceof Path path ? wrap(path) : result;
        } catch (InvocationTargetException e) {
          throw e.getCause();
        }
    }
  }

  private final class Provider extends FileSystemProvider {
    private final FileSystemProvider below = root.getFileSystem().provider();

    @Override
    public FileChannel newFileChannel(
        Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
        throws IOException {
      Path real = real(path);
      boolean there = Files.exists(real);
      FileChannel channel = below.newFileChannel(real, options, attributes);
      if (!there) {
        made(real);
        afterEach.run();
      }
      return new Channel(channel, real);
    }

    @Override
    public SeekableByteChannel newByteChannel(
        Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
        throws IOException {
      return newFileChannel(path, options, attributes);
    }

    @Override
    public void createDirectory(Path folder, FileAttribute<?>... attributes) throws IOException {
      below.createDirectory(real(folder), attributes);
      made(real(folder));
      afterEach.run();
    }

    @Override
    public void move(Path from, Path to, CopyOption... options) throws IOException {
      below.move(real(from), real(to), options);
      afterEach.run();
    }

    @Override
    public void delete(Path path) throws IOException {
      below.delete(real(path));
      afterEach.run();
    }

    @Override
    public DirectoryStream<Path> newDirectoryStream(
        Path folder, DirectoryStream.Filter<? super Path> filter) throws IOException {
      DirectoryStream<Path> real =
          below.newDirectoryStream(real(folder), path -> filter.accept(wrap(path)));
      return new DirectoryStream<>() {
        @Override
        public Iterator<Path> iterator() {
          Iterator<Path> each = real.iterator();
          return new Iterator<>() {
            @Override
            public boolean hasNext() {
              return each.hasNext();
            }

            @Override
            public Path next() {
              return wrap(each.next());
            }
          };
        }

        @Override
        public void close() throws IOException {
          real.close();
        }
      };
    }

    @Override
    public void copy(Path from, Path to, CopyOption... options) throws IOException {
      below.copy(real(from), real(to), options);
      made(real(to));
      afterEach.run();
    }

    @Override
    public boolean isSameFile(Path one, Path other) throws IOException {
      return below.isSameFile(real(one), real(other));
    }

    @Override
    public boolean isHidden(Path path) throws IOException {
      return below.isHidden(real(path));
    }

    @Override
    public void checkAccess(Path path, AccessMode... modes) throws IOException {
      below.checkAccess(real(path), modes);
    }

    @Override
    public <V extends FileAttributeView> V getFileAttributeView(
        Path path, Class<V> type, LinkOption... options) {
      return below.getFileAttributeView(real(path), type, options);
    }

    @Override
    public <A extends BasicFileAttributes> A readAttributes(
        Path path, Class<A> type, LinkOption... options) throws IOException {
      return below.readAttributes(real(path), type, options);
    }

    @Override
    public Map<String, Object> readAttributes(Path path, String attributes, LinkOption... options)
        throws IOException {
      return below.readAttributes(real(path), attributes, options);
    }

    @Override
    public void setAttribute(Path path, String attribute, Object value, LinkOption... options)
        throws IOException {
      below.setAttribute(real(path), attribute, value, options);
    }

    @Override
    public FileStore getFileStore(Path path) throws IOException {
      return below.getFileStore(real(path));
    }

    @Override
    public String getScheme() {
      return "forgetful";
    }

    @Override
    public FileSystem newFileSystem(URI uri, Map<String, ?> environment) {
      throw new UnsupportedOperationException();
    }

    @Override
    public FileSystem getFileSystem(URI uri) {
      return system;
    }

    @Override
    public Path getPath(URI uri) {
      throw new UnsupportedOperationException();
    }
  }

  private final class System extends FileSystem {
    private final FileSystem below = root.getFileSystem();

    @Override
    public FileSystemProvider provider() {
      return provider;
    }

    @Override
    public void close() {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public boolean isReadOnly() {
      return false;
    }

    @Override
    public String getSeparator() {
      return below.getSeparator();
    }

    @Override
    public Iterable<Path> getRootDirectories() {
      throw new UnsupportedOperationException();
    }

    @Override
    public Iterable<FileStore> getFileStores() {
      return below.getFileStores();
    }

    @Override
    public Set<String> supportedFileAttributeViews() {
      return below.supportedFileAttributeViews();
    }

    @Override
    public Path getPath(String first, String... more) {
      return wrap(below.getPath(first, more));
    }

    @Override
    public PathMatcher getPathMatcher(String pattern) {
      PathMatcher matcher = below.getPathMatcher(pattern);
      return path -> matcher.matches(real(path));
    }

    @Override
    public UserPrincipalLookupService getUserPrincipalLookupService() {
      return below.getUserPrincipalLookupService();
    }

    @Override
    public WatchService newWatchService() {
      throw new UnsupportedOperationException();
    }
  }

  private final class Channel extends FileChannel {
    private final FileChannel below;
    private final Path real;

    Channel(FileChannel below, Path real) {
      this.below = below;
      this.real = real;
    }

    @Override
    public void force(boolean metadata) throws IOException {
      below.force(metadata);
      synced(real);
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
      return below.read(into);
    }

    @Override
    public long read(ByteBuffer[] into, int offset, int length) throws IOException {
      return below.read(into, offset, length);
    }

    @Override
    public int read(ByteBuffer into, long position) throws IOException {
      return below.read(into, position);
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
      return below.write(from);
    }

    @Override
    public long write(ByteBuffer[] from, int offset, int length) throws IOException {
      return below.write(from, offset, length);
    }

    @Override
    public int write(ByteBuffer from, long position) throws IOException {
      return below.write(from, position);
    }

    @Override
    public long position() throws IOException {
      return below.position();
    }

    @Override
    public FileChannel position(long position) throws IOException {
      below.position(position);
      return this;
    }

    @Override
    public long size() throws IOException {
      return below.size();
    }

    @Override
    public FileChannel truncate(long size) throws IOException {
      below.truncate(size);
      return this;
    }

    @Override
    public long transferTo(long position, long count, WritableByteChannel to) throws IOException {
      return below.transferTo(position, count, to);
    }

    @Override
    public long transferFrom(ReadableByteChannel from, long position, long count)
        throws IOException {
      return below.transferFrom(from, position, count);
    }

    @Override
    public MappedByteBuffer map(MapMode mode, long position, long size) throws IOException {
      return below.map(mode, position, size);
    }

    @Override
    public FileLock lock(long position, long size, boolean shared) throws IOException {
      return below.lock(position, size, shared);
    }

    @Override
    public FileLock tryLock(long position, long size, boolean shared) throws IOException {
      return below.tryLock(position, size, shared);
    }

    @Override
    protected void implCloseChannel() {
      try {
        below.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
