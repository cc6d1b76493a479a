package org.fedometer.collector.http;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.LastHttpContent;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Buffers a viewer's stream in memory and disconnects a viewer that reads too slowly. Any thread
 * sends.
 */
final class OpenStream implements Reply.EventSink {
  private final ChannelHandlerContext context;
  private final long maxBytes;
  private final AtomicLong waitingBytes = new AtomicLong();

  // On the event loop:
  private final List<Runnable> beforeHead = new ArrayList<>();
  private boolean begun;
  private Runnable onEnd;

  /** Creates a stream that disconnects instead of sending while more than {@code maxBytes} wait. */
  OpenStream(ChannelHandlerContext context, long maxBytes) {
    this.context = context;
    this.maxBytes = maxBytes;
  }

  @Override
  public boolean send(byte[] event) {
    if (!context.channel().isActive()) {
      return false;
    }
    if (waitingBytes.get() > maxBytes) {
      context.close();
      return false;
    }
    waitingBytes.addAndGet(event.length);
    inOrder(
        () ->
            context
                .writeAndFlush(new DefaultHttpContent(Unpooled.wrappedBuffer(event)))
                .addListener(sent -> waitingBytes.addAndGet(-event.length)));
    return true;
  }

  @Override
  public void end() {
    inOrder(
        () -> {
          onEnd.run();
          context
              .writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT)
              .addListener(ChannelFutureListener.CLOSE);
        });
  }

  private void inOrder(Runnable write) {
    context
        .executor()
        .execute(
            () -> {
              if (begun) {
                write.run();
              } else {
                beforeHead.add(write);
              }
            });
  }

  /**
   * Starts sending, after the response head. On the event loop.
   *
   * @param endAction called when no events follow; sent ones may still be unread
   */
  void begin(Runnable endAction) {
    onEnd = endAction;
    begun = true;
    beforeHead.forEach(Runnable::run);
    beforeHead.clear();
  }
}
