package org.fedometer.collector.http;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.fedometer.collector.receive.ConnectionCount;
import org.fedometer.collector.receive.DoorLog;
import org.fedometer.collector.receive.ListeningFamily;
import org.fedometer.collector.receive.Refusals;
import org.fedometer.collector.receive.TlsGate;
import org.fedometer.collector.receive.TlsIdentity;

/**
 * Listens for those who ask by HTTP, beside the port of sources and out of its way: an event loop
 * and a thread for the answers are its own. Any thread may start and close it.
 */
public final class HttpDoor implements AutoCloseable {
  static final String PURPOSE = " for HTTP";

  private static final int LONGEST_FIRST_LINE = 2048;
  private static final int LONGEST_HEADERS = 8192;
  private static final int LONGEST_CHUNK = 1024;

  private static final int MOST_WAITING = 64;
  private static final Duration TICK = Duration.ofSeconds(1);

  private final MultiThreadIoEventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(
          1, new DefaultThreadFactory("fedometer-http"), NioIoHandler.newFactory());
  private final ExecutorService answering =
      new ThreadPoolExecutor(
          1,
          1,
          0,
          TimeUnit.SECONDS,
          new ArrayBlockingQueue<>(MOST_WAITING),
          new DefaultThreadFactory("fedometer-http-answers", true));
  private final ChannelGroup connections =
      new DefaultChannelGroup("http", GlobalEventExecutor.INSTANCE, true);

  /** Those that have not asked yet, the oldest first. On the event loop. */
  private final Set<Place> unasked = new LinkedHashSet<>();

  private Channel server;

  /**
   * What one connection and all together may take.
   *
   * @param connections that are open at a time; a further one takes the place of the oldest that
   *     has not asked yet, and is closed at once where all have asked
   * @param connectionsOfOne those of one address
   * @param request how long a question may take to come, from the beginning of the connection
   * @param response how long an answer may take to be made and to go
   * @param later the same of an answer that waits for its turn to read a run
   * @param streamBytes what may wait to be sent in a stream of which nothing is taken
   */
  record Limits(
      int connections,
      int connectionsOfOne,
      Duration request,
      Duration response,
      Duration later,
      long streamBytes) {
    static final Limits USUAL =
        new Limits(
            64,
            16,
            Duration.ofSeconds(10),
            Duration.ofSeconds(20),
            Duration.ofSeconds(90),
            1 << 20);
  }

  /** A connection's among those that may be open. On its event loop. */
  final class Place {
    private final ConnectionCount count;
    private final SocketChannel channel;
    private boolean left;

    private Place(ConnectionCount count, SocketChannel channel) {
      this.count = count;
      this.channel = channel;
      unasked.add(this);
    }

    private InetAddress peer() {
      return channel.remoteAddress().getAddress();
    }

    /** No other connection takes it any more. */
    void asked() {
      unasked.remove(this);
    }

    void leave() {
      if (!left) {
        left = true;
        unasked.remove(this);
        count.left(peer(), false);
      }
    }
  }

  private HttpDoor() {}

  /**
   * @param address port 0 for a free one
   * @param tls null to take plain connections; else only TLS ones are taken
   * @throws IOException one sentence: the address cannot be had
   */
  static HttpDoor open(
      InetSocketAddress address,
      TlsIdentity tls,
      Visitors visitors,
      Routes routes,
      Limits limits,
      DoorLog doorLog)
      throws IOException {
    HttpDoor door = new HttpDoor();
    door.loops
        .next()
        .scheduleWithFixedDelay(
            doorLog::tick, TICK.toMillis(), TICK.toMillis(), TimeUnit.MILLISECONDS);
    ConnectionCount count = new ConnectionCount(limits.connections(), limits.connectionsOfOne());
    ChannelFuture bound =
        new ServerBootstrap()
            .group(door.loops)
            .channelFactory(ListeningFamily.of(address))
            .option(ChannelOption.SO_REUSEADDR, true)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childHandler(
                new ChannelInitializer<SocketChannel>() {
                  @Override
                  protected void initChannel(SocketChannel channel) {
                    if (!door.admits(channel, count, doorLog)) {
                      doorLog.say(
                          Refusals.Reason.FULL,
                          String.valueOf(channel.remoteAddress()),
                          "so many connections by HTTP are open, or so many of this address");
                      channel.close();
                      return;
                    }
                    Place place = door.new Place(count, channel);
                    channel.closeFuture().addListener(closed -> place.leave());
                    door.connections.add(channel);
                    if (tls != null) {
                      channel.pipeline().addLast(new TlsGate(tls));
                    }
                    channel
                        .pipeline()
                        .addLast(
                            new HttpServerCodec(LONGEST_FIRST_LINE, LONGEST_HEADERS, LONGEST_CHUNK),
                            new HttpConnection(
                                routes, visitors, door.answering, limits, place, doorLog));
                  }
                })
            .bind(address)
            .awaitUninterruptibly();
    if (!bound.isSuccess()) {
      door.close();
      throw ListeningFamily.cannotListen(address, PURPOSE, bound.cause());
    }
    door.server = bound.channel();
    return door;
  }

  /**
   * Counts it where there is a place; closes the oldest that has not asked yet to make one. Who has
   * all places that one address may have takes no other's.
   */
  private boolean admits(SocketChannel channel, ConnectionCount count, DoorLog doorLog) {
    InetAddress peer = channel.remoteAddress().getAddress();
    if (count.refusalOf(peer) == null) {
      return true;
    }
    boolean anyPlace = !count.isAtLimit(peer);
    Place oldest =
        unasked.stream()
            .filter(place -> anyPlace || ConnectionCount.areOne(place.peer(), peer))
            .findFirst()
            .orElse(null);
    if (oldest == null) {
      return false;
    }
    oldest.leave();
    doorLog.say(
        Refusals.Reason.FULL,
        String.valueOf(oldest.channel.remoteAddress()),
        "it has not asked yet, and another connection by HTTP wants its place");
    oldest.channel.close();
    return count.refusalOf(peer) == null;
  }

  public InetSocketAddress address() {
    return (InetSocketAddress) server.localAddress();
  }

  @Override
  public void close() {
    if (server != null) {
      server.close().awaitUninterruptibly();
    }
    connections.close().awaitUninterruptibly();
    answering.shutdownNow();
    loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly();
  }
}
