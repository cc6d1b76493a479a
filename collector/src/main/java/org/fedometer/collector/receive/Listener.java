package org.fedometer.collector.receive;

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
import io.netty.channel.socket.nio.NioChannelOption;
import io.netty.handler.flow.FlowControlHandler;
import io.netty.util.NetUtil;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketOption;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import jdk.net.ExtendedSocketOptions;
import org.fedometer.collector.log.FailureTracker;
import org.fedometer.collector.logs.LogHosts;
import org.fedometer.collector.logs.LogIntake;
import org.fedometer.collector.query.QueryService;
import org.fedometer.collector.segmentlog.SegmentLog;
import org.fedometer.wire.FailureText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Listens for sources and readers on Netty's event loops. Any thread may start and close it. */
public final class Listener implements AutoCloseable {
  private static final int BACKLOG = 256;

  /**
   * Closes an idle connection two minutes after its peer vanished. With unsent data, such as
   * acknowledgements, TCP gives up after some 15 minutes.
   */
  private static final Map<SocketOption<Integer>, Integer> KEEP_ALIVE_SECONDS =
      Map.of(
          ExtendedSocketOptions.TCP_KEEPIDLE, 60,
          ExtendedSocketOptions.TCP_KEEPINTERVAL, 15,
          ExtendedSocketOptions.TCP_KEEPCOUNT, 4);

  private static final Logger LOG = LoggerFactory.getLogger(Listener.class);
  private static final Limits LIMITS =
      new Limits(
          Math.min(Runtime.getRuntime().maxMemory() / 8, 64L << 20),
          Duration.ofSeconds(1),
          30,
          300);

  private final MultiThreadIoEventLoopGroup loops;
  private final ChannelGroup connections =
      new DefaultChannelGroup("connections", GlobalEventExecutor.INSTANCE, true);
  private Channel server;

  /**
   * Limits of partially received frames.
   *
   * @param bytes for introduced peers; strangers together get an eighth more
   * @param tick interval of checks for progress
   * @param maxSilentTicks see {@link FrameBudget}
   * @param maxTicks see {@link FrameBudget}
   */
  record Limits(long bytes, Duration tick, int maxSilentTicks, int maxTicks) {}

  private Listener(MultiThreadIoEventLoopGroup loops) {
    this.loops = loops;
  }

  /**
   * @param address port 0 for a free one
   * @param tls null for plain connections; otherwise only TLS is accepted
   * @param logs settings for log senders, which are detected by their first bytes
   * @param access rules, already checked for the address
   * @throws IOException if the address is unavailable; the message is one sentence
   */
  public static Listener listen(
      InetSocketAddress address,
      TlsIdentity tls,
      SegmentLog segmentLog,
      QueryService queryService,
      ConnectionTracker tracker,
      LogIntake logs,
      AccessRules access)
      throws IOException {
    return listen(
        address,
        tls,
        segmentLog,
        queryService,
        tracker,
        logs,
        LIMITS,
        Admission.Rules.of(access),
        LOG::warn);
  }

  /**
   * Checks that an address is currently available.
   *
   * @throws IOException if not; the message is one sentence
   */
  public static void check(InetSocketAddress address) throws IOException {
    ListeningFamily.refuseUnresolved(address, "");
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(address);
    } catch (IOException e) {
      throw ListeningFamily.cannotListen(address, "", e);
    }
  }

  static Listener listen(
      InetSocketAddress address,
      TlsIdentity tls,
      SegmentLog segmentLog,
      QueryService queryService,
      ConnectionTracker tracker,
      LogIntake logs,
      Limits limits,
      Admission.Rules rules,
      Consumer<String> refusals)
      throws IOException {
    ListeningFamily.refuseUnresolved(address, "");
    MultiThreadIoEventLoopGroup loops =
        new MultiThreadIoEventLoopGroup(
            1, new DefaultThreadFactory("fedometer-network"), NioIoHandler.newFactory());
    Listener listener = new Listener(loops);
    FrameBudget budget =
        new FrameBudget(
            limits.bytes(), limits.maxSilentTicks(), limits.maxTicks(), segmentLog::isFull);
    FrameBudget strangers =
        new FrameBudget(
            Math.max(1, limits.bytes() / 8),
            limits.maxSilentTicks(),
            limits.maxTicks(),
            () -> false);
    ConnectionCount count = new ConnectionCount(rules.maxConnections(), rules.maxStrangers());
    RefusalLog refusalLog = RefusalLog.of(tracker.refusals(), refusals);
    FailureTracker tickFailures = new FailureTracker();
    loops
        .next()
        .scheduleWithFixedDelay(
            () -> tick(budget, strangers, refusalLog, tickFailures),
            limits.tick().toMillis(),
            limits.tick().toMillis(),
            TimeUnit.MILLISECONDS);
    LogHosts hosts = new LogHosts(segmentLog, logs, loops.next());
    ServerBootstrap bootstrap =
        new ServerBootstrap()
            .group(loops)
            .channelFactory(ListeningFamily.of(address))
            .option(ChannelOption.SO_BACKLOG, BACKLOG)
            .option(ChannelOption.SO_REUSEADDR, true)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childOption(ChannelOption.SO_KEEPALIVE, true)
            .childHandler(
                new ChannelInitializer<SocketChannel>() {
                  @Override
                  protected void initChannel(SocketChannel channel) {
                    listener.connections.add(channel);
                    Admission admission = new Admission(rules, count, refusalLog, tls == null);
                    channel.pipeline().addLast(admission);
                    if (tls != null) {
                      // TLS passes on all it has read, even to paused handlers.
                      channel.pipeline().addLast(new TlsGate(tls), new FlowControlHandler());
                    }
                    FrameDecoder decoder = new FrameDecoder(strangers);
                    ConnectionHandler frames =
                        new ConnectionHandler(
                            segmentLog,
                            queryService,
                            tracker,
                            decoder,
                            budget,
                            refusalLog,
                            admission);
                    FirstBytesHandler first =
                        new FirstBytesHandler(
                            decoder,
                            frames,
                            format ->
                                new LogHandler(
                                    format, logs, hosts, tracker, budget, refusalLog, admission),
                            logs.senders(),
                            admission,
                            refusalLog);
                    channel.pipeline().addLast(first, decoder, frames);
                  }
                });
    KEEP_ALIVE_SECONDS.forEach(
        (option, value) -> bootstrap.childOption(NioChannelOption.of(option), value));
    ChannelFuture bound = bootstrap.bind(address).awaitUninterruptibly();
    if (!bound.isSuccess()) {
      listener.close();
      throw ListeningFamily.cannotListen(address, "", bound.cause());
    }
    listener.server = bound.channel();
    return listener;
  }

  /** Logs failures, which would end the schedule and leave frames waiting forever. */
  private static void tick(
      FrameBudget budget,
      FrameBudget strangers,
      RefusalLog refusalLog,
      FailureTracker tickFailures) {
    try {
      budget.tick();
      strangers.tick();
      refusalLog.tick();
      tickFailures.recordSuccess();
    } catch (RuntimeException | Error e) {
      if (tickFailures.recordFailure(FailureText.of(e), System.nanoTime())) {
        LOG.error("The check of incomplete frames failed", e);
      }
    }
  }

  public InetSocketAddress address() {
    return (InetSocketAddress) server.localAddress();
  }

  /**
   * Returns the address as users write it: {@code 0.0.0.0:4711}, {@code [::1]:4711}.
   *
   * @param requested the requested address, since the system does not distinguish 0.0.0.0 and ::
   */
  public String addressText(InetSocketAddress requested) {
    return NetUtil.toSocketAddressString(
        new InetSocketAddress(requested.getAddress(), address().getPort()));
  }

  /** Stops accepting connections; open ones stay. */
  public void stopAccepting() {
    server.close().awaitUninterruptibly();
  }

  @Override
  public void close() {
    if (server != null) {
      stopAccepting();
    }
    connections.close().awaitUninterruptibly();
    loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly();
  }
}
