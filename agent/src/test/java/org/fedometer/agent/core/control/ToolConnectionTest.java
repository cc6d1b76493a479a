package org.fedometer.agent.core.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class ToolConnectionTest {

  @Test
  void hearsWhatWasAnnouncedAndNothingElse() throws Exception {
    assertThat(heard("command=attach,source-name=π", "command=attach,source-name=π"))
        .isEqualTo("command=attach,source-name=π");
    assertThatThrownBy(() -> heard("command=attach,collector=elsewhere:1", "command=attach"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("not those that were announced");
  }

  /** A tool that says more than it may is not waited for. */
  @Test
  void endsWithOneWhoSaysTooMuchOrTooLittle() throws Exception {
    for (int length : new int[] {-1, (1 << 20) + 1, 5}) {
      assertThatThrownBy(
              () -> {
                try (ServerSocket tool = listening();
                    ToolConnection agent = ToolConnection.to(tool.getLocalPort() + "/nonce");
                    Socket accepted = tool.accept()) {
                  new DataOutputStream(accepted.getOutputStream()).writeInt(length);
                  accepted.shutdownOutput();
                  agent.hear("");
                }
              })
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith("the tool ");
    }
  }

  private static String heard(String said, String announced) throws Exception {
    try (ServerSocket tool = listening();
        ToolConnection agent = ToolConnection.to(tool.getLocalPort() + "/nonce");
        Socket accepted = tool.accept()) {
      byte[] text = said.getBytes(StandardCharsets.UTF_8);
      DataOutputStream out = new DataOutputStream(accepted.getOutputStream());
      out.writeInt(text.length);
      out.write(text);
      byte[] expected =
          MessageDigest.getInstance("SHA-256").digest(announced.getBytes(StandardCharsets.UTF_8));
      return agent.hear(HexFormat.of().formatHex(expected));
    }
  }

  private static ServerSocket listening() throws IOException {
    return new ServerSocket(0, 1, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}));
  }
}
