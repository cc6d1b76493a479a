package org.fedometer.datasets.patents;

import org.fedometer.datasets.random.LogNormalSizes;

/** Named sizes of generated patents. KB and MB are powers of ten. */
enum Scale {
  /** As in the study: files with a median of 25 KB and a mean of 55 KB, the largest 13 MB. */
  PAPER(
      new LogNormalSizes(25_000, 1.27, 2_000, 13_000_000),
      new LogNormalSizes(25_000, 1.27, 2_000, 13_000_000),
      new double[] {0.1, 0.4, 0.5},
      6_000_000),
  /** XML as long as that of real US grants; page images as in the study. */
  US_FULLTEXT(
      new LogNormalSizes(86_000, 0.94, 4_000, 13_000_000),
      new LogNormalSizes(25_000, 1.27, 2_000, 13_000_000),
      new double[] {0.1, 0.4, 0.5},
      6_000_000),
  /** Only short XML: long runs on small disks. */
  SMALL(new LogNormalSizes(3_000, 0.6, 2_000, 64_000), null, new double[] {1, 0, 0}, 2_000_000);

  final LogNormalSizes xmlSizes;
  final LogNormalSizes pageSizes;
  final double[] contentShares;
  final int textPoolBytes;

  /**
   * @param xmlSizes sizes of FULLTEXT
   * @param pageSizes sizes of PDF and IMAGE, or null if there are none
   * @param contentShares probabilities of one, two and three content streams
   * @param textPoolBytes the approximate amount of prose for FULLTEXT
   */
  Scale(
      LogNormalSizes xmlSizes,
      LogNormalSizes pageSizes,
      double[] contentShares,
      int textPoolBytes) {
    this.xmlSizes = xmlSizes;
    this.pageSizes = pageSizes;
    this.contentShares = contentShares;
    this.textPoolBytes = textPoolBytes;
  }
}
