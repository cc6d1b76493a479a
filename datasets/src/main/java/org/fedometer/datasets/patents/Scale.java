package org.fedometer.datasets.patents;

import org.fedometer.datasets.random.LogNormalSizes;

/** Named sizes of generated patents. KB and MB are powers of ten. */
enum Scale {
  /** As in the study: files of 25 KB in the median and 55 KB in the mean, the largest 13 MB. */
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
  /** Short XML and nothing else: long runs on small disks. */
  SMALL(new LogNormalSizes(3_000, 0.6, 2_000, 64_000), null, new double[] {1, 0, 0}, 2_000_000);

  final LogNormalSizes xmlSizes;
  final LogNormalSizes pageSizes;
  final double[] contentShares;
  final int textPoolBytes;

  /**
   * @param xmlSizes of FULLTEXT
   * @param pageSizes of PDF and IMAGE, or null where there are none
   * @param contentShares probabilities of one, two and three content streams
   * @param textPoolBytes about how much prose FULLTEXT is cut from
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
