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
import org.fedometer.collector.receive.ListeningFamily;
import org.fedometer.collector.receive.RefusalLog;
import org.fedometer.collector.receive.Refusals;
import org.fedometer.collector.receive.TlsGate;
import org.fedometer.collector.receive.TlsIdentity;

/**
 * Listens for HTTP clients, independent of the port of sources, with an event loop and a response
 * thread of its own. Any thread may start and close it.
 */
public final class HttpListener implements AutoCloseable {
  static final String PURPOSE = " for HTTP";

  private static final int MAX_REQUEST_LINE_BYTES = 2048;
  private static final int MAX_HEADER_BYTES = 8192;
  private static final int MAX_CHUNK_BYTES = 1024;

  private static final int MAX_QUEUED_REQUESTS = 64;
  private static final Duration TICK = Duration.ofSeconds(1);

  private final MultiThreadIoEventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(
          1, new DefaultThreadFactory("fedometer-http"), NioIoHandler.newFactory());
  private final ExecutorService workers =
      new ThreadPoolExecutor(
          1,
          1,
          0,
          TimeUnit.SECONDS,
          new ArrayBlockingQueue<>(MAX_QUEUED_REQUESTS),
          new DefaultThreadFactory("fedometer-http-worker", true));
  private final ChannelGroup connections =
      new DefaultChannelGroup("http", GlobalEventExecutor.INSTANCE, true);

  /** Slots without a request yet, oldest first. On the event loop. */
  private final Set<Slot> withoutRequest = new LinkedHashSet<>();

  private Channel server;

  /**
   * Limits of one connection and of all together.
   *
   * @param connections open connections; a further one replaces the oldest without a request, or is
   *     closed at once if there is none
   * @param connectionsPerAddress open connections of one address
   * @param requestTimeout from the connection's start to the complete request
   * @param responseTimeout for producing and sending the response
   * @param deferredTimeout the same for a response that waits to read a run
   * @param streamBytes unsent bytes of a stream
   */
  record Limits(
      int connections,
      int connectionsPerAddress,
      Duration requestTimeout,
      Duration responseTimeout,
      Duration deferredTimeout,
      long streamBytes) {
    static final Limits DEFAULT =
        new Limits(
            64,
            16,
            Duration.ofSeconds(10),
            Duration.ofSeconds(20),
            Duration.ofSeconds(90),
            1 << 20);
  }

  /** A connection's slot. On its event loop. */
  final class Slot {
    private final ConnectionCount count;
    private final SocketChannel channel;
    private boolean released;

    private Slot(ConnectionCount count, SocketChannel channel) {
      this.count = count;
      this.channel = channel;
      withoutRequest.add(this);
    }

    private InetAddress peer() {
      return channel.remoteAddress().getAddress();
    }

    /** Protects the slot from replacement. */
    void requestReceived() {
      withoutRequest.remove(this);
    }

    void release() {
      if (!released) {
        released = true;
        withoutRequest.remove(this);
        count.closed(peer(), false);
      }
    }
  }

  private HttpListener() {}

  /**
   * @param address port 0 for a free one
   * @param tls null for plain connections; otherwise only TLS is accepted
   * @throws IOException if the address is unavailable; the message is one sentence
   */
  static HttpListener open(
      InetSocketAddress address,
      TlsIdentity tls,
      HttpAccess access,
      Routes routes,
      Limits limits,
      RefusalLog refusalLog)
      throws IOException {
    HttpListener listener = new HttpListener();
    listener
        .loops
        .next()
        .scheduleWithFixedDelay(
            refusalLog::tick, TICK.toMillis(), TICK.toMillis(), TimeUnit.MILLISECONDS);
    ConnectionCount count =
        new ConnectionCount(limits.connections(), limits.connectionsPerAddress());
    ChannelFuture bound =
        new ServerBootstrap()
            .group(listener.loops)
            .channelFactory(ListeningFamily.of(address))
            .option(ChannelOption.SO_REUSEADDR, true)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childHandler(
                new ChannelInitializer<SocketChannel>() {
                  @Override
                  protected void initChannel(SocketChannel channel) {
                    if (!listener.admit(channel, count, refusalLog)) {
                      refusalLog.logRefusal(
                          Refusals.Reason.FULL,
                          String.valueOf(channel.remoteAddress()),
                          "too many HTTP connections are open, in total or from this address");
                      channel.close();
                      return;
                    }
                    Slot slot = listener.new Slot(count, channel);
                    channel.closeFuture().addListener(closed -> slot.release());
                    listener.connections.add(channel);
                    if (tls != null) {
                      channel.pipeline().addLast(new TlsGate(tls));
                    }
                    channel
                        .pipeline()
                        .addLast(
                            new HttpServerCodec(
                                MAX_REQUEST_LINE_BYTES, MAX_HEADER_BYTES, MAX_CHUNK_BYTES),
                            new HttpConnection(
                                routes, access, listener.workers, limits, slot, refusalLog));
                  }
                })
            .bind(address)
            .awaitUninterruptibly();
    if (!bound.isSuccess()) {
      listener.close();
      throw ListeningFamily.cannotListen(address, PURPOSE, bound.cause());
    }
    listener.server = bound.channel();
    return listener;
  }

  /**
   * Counts the connection if there is a slot; otherwise closes the oldest one without a request. An
   * address at its own limit never replaces others.
   */
  private boolean admit(SocketChannel channel, ConnectionCount count, RefusalLog refusalLog) {
    InetAddress peer = channel.remoteAddress().getAddress();
    if (count.tryOpen(peer) == null) {
      return true;
    }
    boolean anySlot = !count.isAtLimit(peer);
    Slot oldest =
        withoutRequest.stream()
            .filter(slot -> anySlot || ConnectionCount.areSameNetwork(slot.peer(), peer))
            .findFirst()
            .orElse(null);
    if (oldest == null) {
      return false;
    }
    oldest.release();
    refusalLog.logRefusal(
        Refusals.Reason.FULL,
        String.valueOf(oldest.channel.remoteAddress()),
        "it has sent no request, and another HTTP connection needs its slot");
    oldest.channel.close();
    return count.tryOpen(peer) == null;
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
    workers.shutdownNow();
    loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly();
  }
}
