package org.fedometer.agent.core.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.fedometer.aspects.recorder.Stages;
import org.fedometer.wire.session.AgentReport;
import org.fedometer.wire.session.AgentReport.Weaving;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ToolConnectionTest {

  @Test
  void rejectsAMalformedAddressFirst() {
    for (String address :
        new String[] {"1", "/x", "0/x", "65536/x", "1/", "1/" + "\u00e4".repeat(33)}) {
      assertThatThrownBy(() -> ToolConnection.to(address))
          .as(address)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("PORT/NONCE");
    }
  }

  @Test
  void theLongestReportThereIsDoesNotWaitForAToolThatDoesNotRead() throws Exception {
    List<AgentReport.Stage> stages = new ArrayList<>();
    for (int i = 0; i < Stages.LIMIT; i++) {
      stages.add(new AgentReport.Stage("stage-" + i, Weaving.FAILED, "x".repeat(10_000)));
    }
    try (ServerSocket tool = listening();
        ToolConnection connection = ToolConnection.to(tool.getLocalPort() + "/nonce")) {
      assertThatCode(
              () -> {
                connection.working("x".repeat(10_000));
                connection.done("x".repeat(10_000), Map.of(), stages, stages);
              })
          .doesNotThrowAnyException();
    }
  }

  @Test
  void readsOnlyTheAnnouncedOptions() throws Exception {
    assertThat(readOptions("command=attach,source-name=π", "command=attach,source-name=π"))
        .isEqualTo("command=attach,source-name=π");
    assertThatThrownBy(() -> readOptions("command=attach,collector=elsewhere:1", "command=attach"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("differ from those announced");
  }

  /** A tool that sends too much is disconnected. */
  @Test
  void rejectsTooLongOrTooShortOptions() throws Exception {
    for (int length : new int[] {-1, (1 << 20) + 1, 5}) {
      assertThatThrownBy(
              () -> {
                try (ServerSocket tool = listening();
                    ToolConnection agent = ToolConnection.to(tool.getLocalPort() + "/nonce");
                    Socket accepted = tool.accept()) {
                  new DataOutputStream(accepted.getOutputStream()).writeInt(length);
                  accepted.shutdownOutput();
                  agent.readOptions("");
                }
              })
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith("the tool ");
    }
  }

  private static String readOptions(String said, String announced) throws Exception {
    try (ServerSocket tool = listening();
        ToolConnection agent = ToolConnection.to(tool.getLocalPort() + "/nonce");
        Socket accepted = tool.accept()) {
      byte[] text = said.getBytes(StandardCharsets.UTF_8);
      DataOutputStream out = new DataOutputStream(accepted.getOutputStream());
      out.writeInt(text.length);
      out.write(text);
      byte[] expected =
          MessageDigest.getInstance("SHA-256").digest(announced.getBytes(StandardCharsets.UTF_8));
      return agent.readOptions(HexFormat.of().formatHex(expected));
    }
  }

  private static ServerSocket listening() throws IOException {
    return new ServerSocket(0, 1, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}));
  }
}
