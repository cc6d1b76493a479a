package org.fedometer.driver.content;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import java.io.ByteArrayInputStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.fedometer.datasets.CarriedContent;
import org.fedometer.datasets.ChecksumAlgorithm;
import org.fedometer.datasets.ComposedObject;
import org.fedometer.datasets.ContentStream;
import org.fedometer.datasets.Dataset;
import org.fedometer.datasets.PackagedObject;
import org.fedometer.datasets.RepositoryObject;
import org.fedometer.driver.TinyDataset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ContentOptionsTest {

  private static final class Packaged implements Dataset {

    @Override
    public String name() {
      return "foxml";
    }

    @Override
    public Map<String, String> parameters() {
      return Map.of();
    }

    @Override
    public RepositoryObject object(long index) {
      return new PackagedObject(
          "p:1", "", List.of(), Set.of(), 1, 0, () -> new ByteArrayInputStream(new byte[0]));
    }

    @Override
    public long meanObjectBytes() {
      return 0;
    }

    @Override
    public int maxLiteralBytes() {
      return 0;
    }
  }

  @ParameterizedTest
  @EnumSource
  void eachPathIsFoundByItsName(ContentPath path) {
    assertThat(ContentPath.named(path.id())).isEqualTo(path);
  }

  @Test
  void whatIsNotThereIsRefusedWithWhatThereIs() {
    assertThatThrownBy(() -> ContentPath.named("ftp"))
        .hasMessage(
            "'ftp' is not a path for content; expected one of in-request, inline-xml, url,"
                + " upload, external, redirect");
    assertThatThrownBy(() -> Packaging.named("zip"))
        .hasMessage("'zip' is not a packaging; expected foxml or datastreams");
  }

  @ParameterizedTest
  @CsvSource({
    "none, none",
    "None, none",
    "sha-256, SHA-256",
    "MD5, MD5",
    "SHA-1:by-fedora, SHA-1:by-fedora",
    "sha-512:BY-FEDORA, SHA-512:by-fedora"
  })
  void checksumsAreReadInWhateverCase(String text, String id) {
    assertThat(ChecksumChoice.named(text).id()).isEqualTo(id);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "SHA256", "SHA-256:", "none:by-fedora", "TIGER", ":by-fedora"})
  void otherChecksumsAreRefused(String text) {
    assertThatThrownBy(() -> ChecksumChoice.named(text))
        .hasMessage(
            "'"
                + text
                + "' is not a checksum; expected none, MD5, SHA-1, SHA-256, SHA-384, SHA-512, each"
                + " but none optionally with :by-fedora");
  }

  @Test
  void recordsTheChosenOptions() {
    assertThat(ContentOptions.standard().facts())
        .containsExactly(
            entry("content", "in-request"), entry("packaging", "foxml"), entry("checksum", "none"));
    assertThat(
            ContentOptions.of(
                    ContentPath.EXTERNAL, Packaging.DATASTREAMS, ChecksumChoice.named("md5"))
                .facts())
        .containsExactly(
            entry("content", "external"),
            entry("packaging", "datastreams"),
            entry("checksum", "MD5"));
  }

  @Test
  void xmlIsInlinedWithADigestByFedoraAndOtherContentStaysInTheRequest() throws Exception {
    ContentStream xml = TinyDataset.content("XML", "text/xml", "<?xml version=\"1.0\"?><a/>");
    ContentStream typed = TinyDataset.content("DTD", "text/xml", "<!DOCTYPE a><a/>");
    ContentStream text = TinyDataset.content("TEXT", "text/plain", "<a/>");
    ComposedObject object =
        new ComposedObject("t:1", "", List.of(xml, typed, text), List.of(), List.of());
    try (ContentDelivery delivery = delivery(ContentPath.INLINE_XML, "SHA-1")) {
      List<CarriedContent> carried = delivery.of(0, object);

      assertThat(carried).extracting(CarriedContent::controlGroup).containsExactly('X', 'M', 'M');
      assertThat(carried.get(0).carriage()).isEqualTo(new CarriedContent.InlineXml(21));
      assertThat(carried.get(0).checksum())
          .hasValue(new CarriedContent.Checksum(ChecksumAlgorithm.SHA_1, Optional.empty()));
      assertThat(carried.get(2).checksum())
          .hasValue(
              new CarriedContent.Checksum(
                  ChecksumAlgorithm.SHA_1, Optional.of(ChecksumAlgorithm.SHA_1.digestOf(text))));
    }
  }

  @Test
  void sendsPackagedObjectsUnchanged() throws Exception {
    Packaged packaged = new Packaged();
    ContentOptions.standard().requireFor(packaged);
    for (ContentOptions chosen :
        List.of(
            ContentOptions.of(ContentPath.URL, Packaging.FOXML, ChecksumChoice.NONE),
            ContentOptions.of(ContentPath.IN_REQUEST, Packaging.DATASTREAMS, ChecksumChoice.NONE),
            ContentOptions.of(
                ContentPath.IN_REQUEST, Packaging.FOXML, ChecksumChoice.named("MD5")))) {
      assertThatThrownBy(() -> ContentDelivery.open(chosen, packaged))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "the objects of dataset foxml are sent to Fedora unchanged: leave out --content,"
                  + " --packaging and --checksum");
    }
  }

  private static ContentDelivery delivery(ContentPath path, String checksum) throws Exception {
    return ContentDelivery.open(
        ContentOptions.of(path, Packaging.FOXML, ChecksumChoice.named(checksum)),
        new TinyDataset());
  }
}
